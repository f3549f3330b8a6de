//! Random trees of new objects, with what libhdf5 must say of the files that are written from them.

mod elements;

use std::collections::BTreeSet;

use hdf5::{
    Dataspace, FilterDescription, NewAttribute, NewDataset, NewDatatype, NewGroup, NewLink,
    NewObject, NewStorage, ObjectId,
};
use serde_json::{Value, json};

use crate::chance::Chance;
use crate::describe;
use elements::Values;

/// A tree, and one line per object as `tests/python/describe.py` writes them, without windows.
#[derive(Debug)]
pub struct Tree {
    /// The root.
    pub root: NewGroup,
    /// What to expect.
    pub lines: Vec<Value>,
}

/// A random tree; the same for the same seed.
pub fn random(seed: u64) -> Tree {
    let mut grower = Grower { chance: Chance::new(seed), lines: Vec::new(), known: Vec::new() };
    let root = grower.group("/", 0);
    Tree { root, lines: grower.lines }
}

struct Grower {
    chance: Chance,
    lines: Vec<Value>,
    /// Objects that further links may lead to, by the path of their first.
    known: Vec<(ObjectId, String)>,
}

const MAX_DEPTH: usize = 4;
/// Objects from which on a tree hardly grows.
const LARGE_TREE: usize = 60;

impl Grower {
    fn group(&mut self, path: &str, depth: usize) -> NewGroup {
        let place = self.lines.len();
        self.lines.push(Value::Null);
        let mut group = NewGroup::new();
        group.keep_together = self.chance.below(4) == 0;
        group.id = Some(self.identity(path));
        let count = self.count(if depth == 0 { 12 } else { 6 });
        let mut links = Vec::new();
        for name in self.names(count) {
            let path = format!("{}/{name}", path.trim_end_matches('/'));
            let (link, line) = self.link(&name, &path, depth);
            group.links.insert(name.into_bytes(), link);
            links.push(line);
        }
        let (attributes, lines) = self.attributes();
        group.attributes = attributes.into_iter().collect();
        self.lines[place] =
            json!({"object": path, "kind": "group", "links": links, "attributes": lines});
        group
    }

    fn link(&mut self, name: &str, path: &str, depth: usize) -> (NewLink, Value) {
        // Most links of a large group are cheap ones.
        let kinds = if self.lines.len() > LARGE_TREE { 3 } else { 12 };
        match self.chance.below(kinds) {
            0 => {
                let target = self.text(30);
                let line = json!([name, "soft", target]);
                (NewLink::Soft(target.into_bytes()), line)
            }
            1 => {
                let (file, inside) = (format!("{}.h5", self.word()), format!("/{}", self.word()));
                let line = json!([name, "external", [file, inside]]);
                (NewLink::External { file: file.into_bytes(), path: inside.into_bytes() }, line)
            }
            2 => {
                let which = self.chance.below(self.known.len());
                let (id, first) = self.known[which].clone();
                (NewLink::Again(id), json!([name, "hard", first]))
            }
            kind => {
                let object = match kind {
                    3..=5 if depth < MAX_DEPTH => NewObject::Group(self.group(path, depth + 1)),
                    6 => NewObject::Datatype(self.datatype(path)),
                    _ => NewObject::Dataset(self.dataset(path)),
                };
                (object.into(), json!([name, "hard", path]))
            }
        }
    }

    fn datatype(&mut self, path: &str) -> NewDatatype {
        let values = Values::random(&mut self.chance, 0);
        self.lines.push(json!({
            "object": path, "kind": "datatype", "type": describe::datatype(&values.datatype)
        }));
        NewDatatype { id: Some(self.identity(path)), ..NewDatatype::new(values.datatype) }
    }

    fn dataset(&mut self, path: &str) -> NewDataset {
        let dims = self.dims(3_000);
        let count = dims.iter().product::<u64>();
        let values = Values::random(&mut self.chance, usize::try_from(count).unwrap_or(0));
        let mut dataset = values.dataset(Dataspace::fixed(&dims));
        let mut chunk = Value::Null;
        let mut filters: Vec<u16> = Vec::new();
        let storage = match self.chance.below(4) {
            0 if count * u64::from(values.datatype.size) < 60_000 => {
                dataset.storage = NewStorage::Compact;
                "compact"
            }
            1 | 2 if !dims.is_empty() => {
                let chunk_dims = self.chunk_dims(&dims);
                let described = self.filters(values.datatype.size);
                filters.extend(described.iter().map(|filter| filter.id));
                chunk = json!(chunk_dims);
                dataset = dataset.chunked(&chunk_dims, described);
                dataset.dataspace = self.growing(&dims);
                "chunked"
            }
            _ => "contiguous",
        };
        let (attributes, lines) = self.attributes();
        dataset.attributes = attributes.into_iter().collect();
        dataset.id = Some(self.identity(path));
        self.lines.push(json!({
            "object": path,
            "kind": "dataset",
            "type": describe::datatype(&values.datatype),
            "shape": dims,
            "storage": storage,
            "chunk": chunk,
            "filters": filters,
            "digest": values.digest,
            "attributes": lines,
        }));
        dataset
    }

    /// Attributes with their names, and their lines.
    fn attributes(&mut self) -> (Vec<(Vec<u8>, NewAttribute)>, Vec<Value>) {
        let count = self.count(5);
        let mut attributes = Vec::new();
        let mut lines = Vec::new();
        for name in self.names(count) {
            let large = self.chance.below(200) == 0;
            let dims = self.dims(if large { 90_000 } else { 40 });
            let count = usize::try_from(dims.iter().product::<u64>()).unwrap_or(0);
            let values = Values::random(&mut self.chance, count);
            lines.push(json!([name, describe::datatype(&values.datatype), dims, values.digest]));
            let attribute = values.attribute(Dataspace::fixed(&dims));
            attributes.push((name.into_bytes(), attribute));
        }
        (attributes, lines)
    }

    /// Mostly a few, sometimes many, as long as the tree is not large already.
    fn count(&mut self, few: usize) -> usize {
        match self.chance.below(40) {
            _ if self.lines.len() > LARGE_TREE => self.chance.below(2),
            0 => self.chance.below(300),
            1..=3 => 7 + self.chance.below(5),
            _ => self.chance.below(few),
        }
    }

    /// Different names in the order of their bytes.
    fn names(&mut self, count: usize) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        while names.len() < count {
            let word = self.word();
            names.insert(if self.chance.below(3) == 0 {
                format!("{word} {}", names.len())
            } else {
                word
            });
        }
        names
    }

    fn word(&mut self) -> String {
        const PARTS: [&str; 12] =
            ["a", "ß", "CT", "0", "grid", "-", "名", "x.y", "mask", "_", "é", "liver"];
        let parts = 1 + self.chance.below(5);
        (0..parts).map(|_| PARTS[self.chance.below(PARTS.len())]).collect()
    }

    fn text(&mut self, words: usize) -> String {
        let count = 1 + self.chance.below(words);
        (0..count).map(|_| self.word()).collect::<Vec<_>>().join("/")
    }

    /// An extent of at most `max` elements; sometimes a scalar, sometimes empty.
    fn dims(&mut self, max: u64) -> Vec<u64> {
        let rank = self.chance.below(4);
        let mut left = max;
        (0..rank)
            .map(|_| {
                let dim = self.chance.bits() % left.clamp(1, 60);
                let dim = if dim == 0 && self.chance.below(5) > 0 { 1 } else { dim };
                left /= dim.max(1);
                dim
            })
            .collect()
    }

    fn chunk_dims(&mut self, dims: &[u64]) -> Vec<u64> {
        if self.chance.below(5) == 0 {
            return dims.iter().map(|dim| (*dim).max(1)).collect();
        }
        dims.iter().map(|dim| 1 + self.chance.bits() % (*dim).max(1)).collect()
    }

    fn filters(&mut self, element_size: u32) -> Vec<FilterDescription> {
        let filter = |id, client_data: &[u32]| FilterDescription {
            id,
            name: None,
            optional: true,
            client_data: client_data.to_vec(),
        };
        let mut filters = Vec::new();
        if self.chance.below(2) == 0 {
            filters.push(filter(2, &[element_size]));
        }
        if self.chance.below(2) == 0 {
            filters.push(filter(1, &[6]));
        }
        filters
    }

    /// The extent, which may grow along some axes.
    fn growing(&mut self, dims: &[u64]) -> Dataspace {
        if self.chance.below(3) > 0 {
            return Dataspace::fixed(dims);
        }
        let max = dims.iter().map(|dim| match self.chance.below(3) {
            0 => u64::MAX,
            1 => dim + 60,
            _ => (*dim).max(60),
        });
        Dataspace::Simple { dims: dims.to_vec(), max_dims: Some(max.collect()) }
    }

    fn identity(&mut self, path: &str) -> ObjectId {
        let id = ObjectId::new(self.known.len() as u64);
        self.known.push((id, path.to_owned()));
        id
    }
}
