//! Lists every structure of a file with its place, for people who debug files.
//!
//! Structures are not looked for: everything that can be read is read once, and what the reader touched on the
//! way is the list. Parsers need not know about it.

mod describe;
mod words;

use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Range;

use super::file::open_object;
use super::object::Handle;
use super::storage::{Storage, whole};
use super::{Attribute, Dataset, File, Group, Object};
use crate::error::Error;
use crate::limits::within_group_depth;
use crate::message::dataspace::Dataspace;
use crate::message::kind;
use crate::message::layout::{Layout, StorageKind};
use crate::message::link::LinkTarget;
use crate::parse::Address;
use crate::superblock::Superblock;

/// One structure of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Structure {
    /// Its name in the format specification, or what kind of data it is.
    pub name: Cow<'static, str>,
    /// Its bytes, from the start of the file; for a node or a block those in use.
    pub range: Range<u64>,
    /// Path of the object for whose sake it was read first.
    pub object: Arc<str>,
    /// What it says, as far as that helps to find one's way; mostly empty for bare containers.
    pub fields: String,
}

/// Every structure that can be reached from the superblock.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Structures {
    /// By their first byte; what lies inside another structure comes after it.
    pub structures: Vec<Structure>,
    /// What could not be read, and so hides whatever it leads to.
    pub errors: Vec<Error>,
}

impl File {
    /// Reads all metadata anew and lists where it is, with every chunk and contiguous dataset.
    ///
    /// # Errors
    /// [`Error::Source`] when bytes cannot be had. What is wrong with the file is in [`Structures::errors`].
    pub fn structures(&self) -> Result<Structures, Error> {
        let options = self.storage().options.clone();
        let file = Self::open_with(Arc::clone(self.source()), options)?;
        let mut lister = Lister {
            storage: Arc::clone(file.storage()),
            owners: Vec::new(),
            extra: Vec::new(),
            errors: Vec::new(),
        };
        lister.walk()?;
        lister.finish()
    }
}

struct Lister {
    storage: Arc<Storage>,
    /// Objects, each with how many structures had been read when it was done.
    owners: Vec<(usize, Arc<str>)>,
    /// What the reader does not count: messages, which are inside headers, and data.
    extra: Vec<Structure>,
    errors: Vec<Error>,
}

impl Lister {
    /// Reads every object that hard links lead to, once, and all that belongs to it.
    fn walk(&mut self) -> Result<(), Error> {
        self.owners.push((self.storage.met_count(), "".into()));
        let Some(root) = self.storage.superblock.root else { return Ok(()) };
        let mut pending: Vec<(Arc<str>, Address, u32)> = vec![("/".into(), root, 1)];
        let mut seen = BTreeSet::from([root]);
        while let Some((path, address, depth)) = pending.pop() {
            let storage = Arc::clone(&self.storage);
            if let Some(object) = self.keep(open_object(&storage, &path, address))? {
                self.attributes(&object)?;
                match &object {
                    Object::Group(group) => {
                        let fresh = |(_, address): &(_, Address)| seen.insert(*address);
                        let members = self.members(group, depth)?.into_iter().filter(fresh);
                        let below = depth.saturating_add(1);
                        pending.extend(members.map(|(path, address)| (path, address, below)));
                    }
                    Object::Dataset(dataset) => self.data(dataset)?,
                    Object::Datatype(_) => {}
                }
                self.messages(object.handle());
            }
            self.owners.push((self.storage.met_count(), path));
        }
        Ok(())
    }

    /// The value; an error is noted, unless it is that bytes cannot be had.
    fn keep<T>(&mut self, result: Result<T, Error>) -> Result<Option<T>, Error> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.class() == crate::Class::Source => Err(error),
            Err(error) => {
                self.errors.push(error);
                Ok(None)
            }
        }
    }

    /// Reads attributes and their values, which may be in heaps.
    fn attributes(&mut self, object: &Object) -> Result<(), Error> {
        let attributes = self.keep(object.attributes())?;
        let with_value = |attribute: &&Attribute| attribute.dataspace != Dataspace::Null;
        for attribute in attributes.iter().flat_map(|all| all.iter()).filter(with_value) {
            self.keep(attribute.read())?;
        }
        Ok(())
    }

    fn members(&mut self, group: &Group, depth: u32) -> Result<Vec<(Arc<str>, Address)>, Error> {
        let header = &group.handle().node.header;
        let refused = |problem| whole("object", header.offset(), problem).in_object(group.path());
        let entered = within_group_depth(depth, self.storage.limits()).map_err(refused);
        if self.keep(entered)?.is_none() {
            return Ok(Vec::new());
        }
        let links = self.keep(group.links())?.unwrap_or_default();
        let hard = links.iter().filter_map(|link| match link.target {
            LinkTarget::Hard(address) => {
                let path = format!("{}/{}", group.path().trim_end_matches('/'), link.name());
                Some((path.into(), address))
            }
            _ => None,
        });
        // The last is visited first, so that objects come in the order of their names.
        Ok(hard.rev().collect())
    }

    fn data(&mut self, dataset: &Dataset) -> Result<(), Error> {
        match (dataset.storage(), &dataset.description().layout) {
            (StorageKind::Contiguous, Layout::Contiguous { address: Some(address), size }) => {
                let start = self.storage.offset(*address);
                let bytes = size.or_else(|| {
                    dataset.dataspace().element_count()?.checked_mul(dataset.datatype().size.into())
                });
                let end = start.saturating_add(bytes.unwrap_or(0));
                self.extra.push(Structure {
                    name: "contiguous data".into(),
                    range: start..end,
                    object: dataset.path().into(),
                    fields: String::new(),
                });
            }
            (StorageKind::Chunked, _) => {
                let chunks = self.keep(dataset.stored_chunks())?.unwrap_or_default();
                let object: Arc<str> = dataset.path().into();
                self.extra.extend(chunks.into_iter().map(|chunk| Structure {
                    name: "chunk".into(),
                    range: chunk.range,
                    object: Arc::clone(&object),
                    fields: format!(
                        "{:?}, filter mask {:#x}",
                        chunk.chunk_coord, chunk.filter_mask
                    ),
                }));
            }
            _ => {}
        }
        Ok(())
    }

    fn messages(&mut self, handle: &Handle) {
        for message in handle.node.header.messages() {
            let name = match kind::name(message.kind) {
                Some(name) => format!("{name} message"),
                None => format!("unknown message {:#06x}", message.kind),
            };
            let end = message.offset.saturating_add(message.data.len() as u64);
            self.extra.push(Structure {
                name: name.into(),
                range: message.offset..end,
                object: Arc::clone(&handle.path),
                fields: describe::message(&self.storage, message),
            });
        }
    }

    fn finish(self) -> Result<Structures, Error> {
        let mut structures = self.extra;
        let base = self.storage.base();
        structures.push(Structure {
            name: Superblock::NAME.into(),
            range: base..base.saturating_add(self.storage.superblock.len()),
            object: "".into(),
            fields: words::of(&self.storage.superblock),
        });
        let owner_ends: BTreeMap<usize, Arc<str>> = self.owners.into_iter().rev().collect();
        for (number, met) in self.storage.met().into_iter().enumerate() {
            let owner = owner_ends.range(number.saturating_add(1)..).next();
            let block = self.storage.value(met.name, self.storage.address(met.offset), met.len)?;
            structures.push(Structure {
                name: met.name.into(),
                range: met.offset..met.offset.saturating_add(met.len),
                object: owner.map_or_else(|| "".into(), |(_, path)| Arc::clone(path)),
                fields: describe::block(&self.storage, met.name, &block),
            });
        }
        structures.sort_by_key(|found| (found.range.start, Reverse(found.range.end)));
        Ok(Structures { structures, errors: self.errors })
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_file::{
        ROOT, attribute, collection, file, hard, header, link_info, open, text_at, text_type,
        typed_attribute,
    };
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn lists_structures_by_place_with_their_object() {
        let text = typed_attribute("text", text_type(), text_at(5, 0x200, 1));
        let child = header(vec![link_info(), (kind::ATTRIBUTE, 0, text)]);
        let root = header(vec![link_info(), attribute("n", 1), hard("child", 0x100)]);
        let bytes = file(&[(ROOT, root), (0x100, child), (0x200, collection(&["hello"]))]);
        let found = open(bytes).unwrap().structures().unwrap();
        let listed: Vec<_> =
            found.structures.iter().map(|s| (s.range.start, s.name.as_ref(), &*s.object)).collect();
        let expected = [
            (0, "superblock", ""),
            (0x40, "object header", "/"),
            (0x4c, "link info message", "/"),
            (0x62, "attribute message", "/"),
            (0x82, "link message", "/"),
            (0x100, "object header", "/child"),
            (0x10c, "link info message", "/child"),
            (0x122, "attribute message", "/child"),
            (0x200, "global heap collection", "/child"),
        ];
        assert_eq!(listed, expected);
        let fields = |place: usize| found.structures[place].fields.as_str();
        assert_eq!((fields(3), fields(8)), ("n", "1 object"));
        assert_eq!(fields(4), "child -> hard: 0x100");
    }

    #[test]
    fn goes_on_behind_what_is_broken() {
        let root = header(vec![link_info(), hard("broken", 0x20), hard("whole", 0x100)]);
        let bytes = file(&[(ROOT, root), (0x100, header(vec![link_info()]))]);
        let found = open(bytes).unwrap().structures().unwrap();
        assert!(found.structures.iter().any(|s| &*s.object == "/whole"));
        assert_eq!(found.errors.len(), 1);
        assert!(found.errors[0].to_string().starts_with("/broken: "));
    }
}
