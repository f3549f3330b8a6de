//! Version 2 B-trees from records that are all known: as few nodes as hold them, evenly filled.

use alloc::vec::Vec;

use super::super::SIZES;
use super::super::blob::Blob;
use crate::btree::v2::{Child, Geometry, Header, Node};
use crate::parse::Address;

/// Adds a tree of these records, at least one, to `blob`: in ascending order, all of one size, of which a node holds several.
pub(in crate::write) fn add(
    kind: u8,
    node_size: u32,
    records: &[Vec<u8>],
    blob: &mut Blob,
) -> Address {
    let record_size = records.first().map_or(1, Vec::len);
    let mut header = Header {
        kind,
        node_size,
        record_size: u16::try_from(record_size).unwrap_or(u16::MAX),
        depth: 0,
        root: None,
        root_records: 0,
        total_records: records.len() as u64,
    };
    let holds_several = "a node holds several records";
    let mut geometry = header.geometry(SIZES).expect(holds_several);
    while geometry.max_total(header.depth) < header.total_records {
        header.depth = header.depth.saturating_add(1);
        geometry = header.geometry(SIZES).expect(holds_several);
    }
    let at = blob.reserve(Header::len(SIZES));
    let root = node(&header, &geometry, header.depth, records, blob);
    header.root = Some(root.address);
    header.root_records = u16::try_from(root.records).unwrap_or(u16::MAX);
    blob.fill(at, |out| header.encode(out));
    at
}

/// Adds the node at `depth` that holds `records` together with the nodes below it.
fn node(
    header: &Header,
    geometry: &Geometry,
    depth: u16,
    records: &[Vec<u8>],
    blob: &mut Blob,
) -> Child {
    let (own, children) = match depth.checked_sub(1) {
        None => (records.to_vec(), Vec::new()),
        Some(below) => {
            let mut own = Vec::new();
            let mut children = Vec::new();
            for (records, separator) in split(records, geometry.max_total(below)) {
                children.push(node(header, geometry, below, records, blob));
                own.extend(separator.cloned());
            }
            (own, children)
        }
    };
    let address = blob.add(|out| Node::encode(header, geometry, depth, (&own, &children), out));
    Child { address, records: own.len() as u64, total: records.len() as u64 }
}

/// Records of a subtree, and the one that its parent keeps behind it.
type Run<'r> = (&'r [Vec<u8>], Option<&'r Vec<u8>>);

/// Cuts records into runs of at most `max`, as few and as even as can be, each with the record between it and the next.
fn split(records: &[Vec<u8>], max: u64) -> Vec<Run<'_>> {
    let count = records.len() as u64;
    let runs = count.saturating_add(1).div_ceil(max.saturating_add(1));
    let in_runs = count.saturating_sub(runs.saturating_sub(1));
    let (least, longer) =
        (in_runs.checked_div(runs).unwrap_or(0), in_runs.checked_rem(runs).unwrap_or(0));
    let mut rest = records;
    let mut found = Vec::new();
    for run in 0..runs {
        let len = least.saturating_add(u64::from(run < longer));
        let (head, tail) = rest.split_at(crate::parse::byte_count(len).min(rest.len()));
        let (separator, tail) =
            tail.split_first().map_or((None, tail), |(s, tail)| (Some(s), tail));
        found.push((head, separator));
        rest = tail;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn records_are_split_evenly() {
        let records: Vec<Vec<u8>> = (0..23).map(|n| vec![n]).collect();
        let runs: Vec<_> = split(&records, 7)
            .into_iter()
            .map(|(run, separator)| (run.len(), separator.map(|record| record[0])))
            .collect();
        assert_eq!(runs, [(7, Some(7)), (7, Some(15)), (7, None)]);
        let runs: Vec<_> = split(&records[..9], 7).iter().map(|(run, _)| run.len()).collect();
        assert_eq!(runs, [4, 4]);
    }
}
