//! The tree to be written as a list of objects, checked: what can be stored is decided here.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::global_heap::{GlobalHeap, PlacedElements};
use super::plan::DatasetPlan;
use super::{NewAttribute, NewGroup, NewLink, NewObject, ObjectId};
use crate::error::Error;
use crate::limits::{Limits, within_group_depth};
use crate::message::dataspace::Dataspace;
use crate::message::datatype::{Datatype, DatatypeClass};
use crate::message::link::usable_name;

/// All objects, the root first, each before what is below it, links in the order of their names.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) objects: Vec<PlannedObject>,
    pub(super) heap: GlobalHeap,
    /// Parts whose metadata are kept together; the root is in the first.
    pub(super) clusters: usize,
}

#[derive(Debug)]
pub(super) struct PlannedObject {
    /// By which it was reached first.
    pub(super) path: String,
    pub(super) cluster: usize,
    /// Hard links that lead here.
    pub(super) references: u32,
    pub(super) comment: Option<Vec<u8>>,
    pub(super) attributes: Vec<PlannedAttribute>,
    pub(super) kind: PlannedKind,
}

#[derive(Debug)]
pub(super) enum PlannedKind {
    Group(Vec<(Vec<u8>, PlannedLink)>),
    Dataset(Box<DatasetPlan>),
    Datatype(Datatype),
}

#[derive(Debug)]
pub(super) enum PlannedLink {
    /// To an object of the list.
    Hard(usize),
    /// To an object of the list, not yet found.
    Again(ObjectId),
    Soft(Vec<u8>),
    External {
        file: Vec<u8>,
        path: Vec<u8>,
    },
}

#[derive(Debug)]
pub(super) struct PlannedAttribute {
    pub(super) name: Vec<u8>,
    pub(super) datatype: Datatype,
    /// The committed datatype that it shares.
    pub(super) committed: Committed,
    pub(super) dataspace: Dataspace,
    pub(super) value: PlacedElements,
}

/// The committed datatype that something shares, first by its identity, then by its place in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Committed {
    No,
    Wanted(ObjectId),
    Object(usize),
}

/// A message, a name in it, or a path.
pub(super) const MAX_MESSAGE_LEN: usize = 65_535;

impl Tree {
    /// Checks and lists everything below `root`.
    pub(super) fn of(root: NewGroup) -> Result<Self, Error> {
        let tree = Self { objects: Vec::new(), heap: GlobalHeap::default(), clusters: 1 };
        let mut builder = Builder { tree, by_id: BTreeMap::new() };
        builder.object("/", 0, 0, NewObject::Group(root))?;
        builder.resolve()?;
        Ok(builder.tree)
    }
}

struct Builder {
    tree: Tree,
    by_id: BTreeMap<ObjectId, usize>,
}

impl Builder {
    /// Lists an object and what is below it; its place in the list.
    fn object(
        &mut self,
        path: &str,
        cluster: usize,
        depth: u32,
        object: NewObject,
    ) -> Result<usize, Error> {
        let place = self.tree.objects.len();
        let cluster = match &object {
            NewObject::Group(group) if group.keep_together && place > 0 => {
                self.tree.clusters = self.tree.clusters.saturating_add(1);
                self.tree.clusters.saturating_sub(1)
            }
            _ => cluster,
        };
        if let Some(id) = object.id() {
            self.by_id.entry(id).or_insert(place);
        }
        self.content(path, cluster, place, depth, object).map_err(|error| error.in_object(path))?;
        Ok(place)
    }

    fn content(
        &mut self,
        path: &str,
        cluster: usize,
        place: usize,
        depth: u32,
        object: NewObject,
    ) -> Result<(), Error> {
        within_group_depth(depth, &Limits::default())
            .map_err(|problem| request(format!("{problem}")))?;
        let comment = object.comment().map(<[u8]>::to_vec);
        check_len("its comment", comment.as_ref().map_or(0, Vec::len))?;
        let (attributes, links, kind) = match object {
            NewObject::Group(group) => {
                (group.attributes, group.links, PlannedKind::Group(Vec::new()))
            }
            NewObject::Datatype(committed) => {
                check_datatype(&committed.datatype)?;
                (committed.attributes, BTreeMap::new(), PlannedKind::Datatype(committed.datatype))
            }
            NewObject::Dataset(mut dataset) => {
                let attributes = core::mem::take(&mut dataset.attributes);
                let plan = DatasetPlan::of(dataset, cluster, &mut self.tree.heap)?;
                (attributes, BTreeMap::new(), PlannedKind::Dataset(plan.into()))
            }
        };
        let attributes = attributes
            .into_iter()
            .map(|(name, attribute)| self.attribute(cluster, name, attribute))
            .collect::<Result<_, Error>>()?;
        let references = u32::from(place == 0);
        let path = path.into();
        self.tree.objects.push(PlannedObject {
            path,
            cluster,
            references,
            comment,
            attributes,
            kind,
        });
        for (name, link) in links {
            let link = self.link(cluster, place, depth, &name, link)?;
            let group = self.tree.objects.get_mut(place).map(|object| &mut object.kind);
            if let Some(PlannedKind::Group(links)) = group {
                links.push((name, link));
            }
        }
        Ok(())
    }

    fn link(
        &mut self,
        cluster: usize,
        group: usize,
        depth: u32,
        name: &[u8],
        link: NewLink,
    ) -> Result<PlannedLink, Error> {
        usable_name(name).map_err(|problem| request(format!("{problem}")))?;
        check_len("the name of a link", name.len())?;
        Ok(match link {
            NewLink::Object(object) => {
                let parent = self.tree.objects.get(group).map_or("", |parent| &parent.path);
                let parent = parent.trim_end_matches('/');
                let path = format!("{parent}/{}", String::from_utf8_lossy(name));
                PlannedLink::Hard(self.object(&path, cluster, depth.saturating_add(1), *object)?)
            }
            NewLink::Again(id) => PlannedLink::Again(id),
            NewLink::Soft(path) => {
                check_len("the path of a soft link", path.len())?;
                PlannedLink::Soft(path)
            }
            NewLink::External { file, path } => {
                let len = file.len().saturating_add(path.len()).saturating_add(3);
                check_len("the target of an external link", len)?;
                PlannedLink::External { file, path }
            }
        })
    }

    fn attribute(
        &mut self,
        cluster: usize,
        name: Vec<u8>,
        attribute: NewAttribute,
    ) -> Result<PlannedAttribute, Error> {
        let shown = String::from_utf8_lossy(&name).into_owned();
        let naming = |error: Error| request(format!("the attribute `{shown}`: {error}"));
        if name.is_empty() || name.contains(&0) {
            return Err(request(format!("an attribute cannot be called {shown:?}")));
        }
        let NewAttribute { datatype, committed, dataspace, elements } = attribute;
        check_datatype(&datatype).map_err(naming)?;
        elements.check(&datatype, &dataspace).map_err(naming)?;
        check_len("its name", name.len().saturating_add(1)).map_err(naming)?;
        let committed = committed.map_or(Committed::No, Committed::Wanted);
        let value = self.tree.heap.place(cluster, elements);
        Ok(PlannedAttribute { name, datatype, committed, dataspace, value })
    }

    /// Finds the objects that further links and shared datatypes mean, and counts hard links.
    fn resolve(&mut self) -> Result<(), Error> {
        let datatypes: Vec<bool> = (self.tree.objects.iter())
            .map(|object| matches!(object.kind, PlannedKind::Datatype(_)))
            .collect();
        let by_id = &self.by_id;
        let find = |committed: &mut Committed| {
            if let Committed::Wanted(id) = committed {
                let place = by_id.get(id).copied();
                let place = place.filter(|place| datatypes.get(*place) == Some(&true));
                *committed = place.map_or(Committed::No, Committed::Object);
            }
        };
        let mut references: Vec<usize> = Vec::new();
        for object in &mut self.tree.objects {
            object.attributes.iter_mut().for_each(|attribute| find(&mut attribute.committed));
            match &mut object.kind {
                PlannedKind::Group(links) => {
                    for (name, link) in links {
                        if let PlannedLink::Again(id) = link {
                            let place = by_id.get(id).copied();
                            let gone = || dropped(name).in_object(&object.path);
                            *link = PlannedLink::Hard(place.ok_or_else(gone)?);
                        }
                        if let PlannedLink::Hard(place) = link {
                            references.push(*place);
                        }
                    }
                }
                PlannedKind::Dataset(plan) => {
                    find(&mut plan.committed);
                    references.extend(plan.committed.object());
                }
                PlannedKind::Datatype(_) => {}
            }
            references.extend(object.attributes.iter().filter_map(|a| a.committed.object()));
        }
        for place in references {
            if let Some(object) = self.tree.objects.get_mut(place) {
                object.references = object.references.saturating_add(1);
            }
        }
        Ok(())
    }
}

impl Committed {
    /// The place of the datatype in the list.
    pub(super) fn object(self) -> Option<usize> {
        match self {
            Self::Object(place) => Some(place),
            Self::No | Self::Wanted(_) => None,
        }
    }
}

/// Refuses types whose message could not be written.
pub(super) fn check_datatype(datatype: &Datatype) -> Result<(), Error> {
    let too_many = |len: usize| len > usize::from(u16::MAX);
    match &datatype.class {
        DatatypeClass::Compound { members } if too_many(members.len()) => {
            Err(request(format!("a compound of {} members", members.len())))
        }
        DatatypeClass::Compound { members } => {
            members.iter().try_for_each(|member| check_datatype(&member.datatype))
        }
        DatatypeClass::Enumeration { members, .. } if too_many(members.len()) => {
            Err(request(format!("an enumeration of {} members", members.len())))
        }
        DatatypeClass::VariableSequence { base } | DatatypeClass::Array { base, .. } => {
            check_datatype(base)
        }
        _ => Ok(()),
    }
}

/// Refuses what a message has no room for.
pub(super) fn check_len(what: &str, len: usize) -> Result<(), Error> {
    if len <= MAX_MESSAGE_LEN {
        return Ok(());
    }
    Err(request(format!("{what} takes {len} bytes, more than the {MAX_MESSAGE_LEN} that fit")))
}

pub(super) fn request(reason: String) -> Error {
    Error::Request { reason }
}

fn dropped(name: &[u8]) -> Error {
    let name = String::from_utf8_lossy(name);
    request(format!("the link `{name}` leads to an object that is not written"))
}
