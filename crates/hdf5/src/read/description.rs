//! What a dataset's header says of it.

use alloc::vec::Vec;

use super::header::ObjectHeader;
use super::storage::{Storage, whole};
use crate::error::{Error, Problem};
use crate::message::dataspace::Dataspace;
use crate::message::datatype::Datatype;
use crate::message::fill_value::FillValue;
use crate::message::filter_pipeline::FilterPipeline;
use crate::message::kind;
use crate::message::layout::{Layout, StorageKind};
use crate::object_header::Prefix;

/// The messages of a dataset, read.
#[derive(Debug)]
pub(crate) struct Description {
    pub(crate) dataspace: Dataspace,
    pub(crate) datatype: Datatype,
    pub(crate) layout: Layout,
    /// Where the layout message's data starts in the file.
    pub(crate) layout_offset: u64,
    /// The elements of a compact dataset, as stored.
    pub(crate) compact: Vec<u8>,
    pub(crate) pipeline: FilterPipeline,
    pub(crate) fill: FillValue,
    pub(crate) storage: StorageKind,
}

impl Description {
    pub(super) fn read(storage: &Storage, header: &ObjectHeader) -> Result<Self, Error> {
        let (sizes, limits) = (storage.sizes(), storage.limits());
        let missing = |what: &'static str| {
            move || {
                let problem = alloc::format!("a dataset without a {what}");
                whole(Prefix::NAME, header.offset(), Problem::invalid(problem))
            }
        };
        let dataspace = header
            .parse(storage, kind::DATASPACE, Dataspace::NAME, |i| Dataspace::parse(sizes)(i))?
            .ok_or_else(missing(Dataspace::NAME))?;
        let datatype = header
            .parse(storage, kind::DATATYPE, Datatype::NAME, |i| Datatype::parse(sizes, limits)(i))?
            .ok_or_else(missing(Datatype::NAME))?;
        let message = header.message(kind::LAYOUT).ok_or_else(missing(Layout::NAME))?;
        let layout = message.parse(Layout::NAME, Layout::parse(sizes))?;
        let compact = match &layout {
            Layout::Compact { data } => message.data.get(data.clone()).unwrap_or_default().to_vec(),
            _ => Vec::new(),
        };
        let pipeline = header.parse(
            storage,
            kind::FILTER_PIPELINE,
            FilterPipeline::NAME,
            FilterPipeline::parse,
        )?;
        let stored_in = match layout {
            _ if header.has(kind::EXTERNAL_FILES) => StorageKind::External,
            Layout::Compact { .. } => StorageKind::Compact,
            Layout::Contiguous { .. } => StorageKind::Contiguous,
            Layout::Chunked(_) => StorageKind::Chunked,
            Layout::Virtual => StorageKind::Virtual,
        };
        Ok(Self {
            dataspace,
            datatype,
            layout,
            layout_offset: message.offset,
            compact,
            pipeline: pipeline.unwrap_or(FilterPipeline { filters: Vec::new() }),
            fill: fill_value(storage, header)?,
            storage: stored_in,
        })
    }
}

/// The old message only counts where there is no new one.
fn fill_value(storage: &Storage, header: &ObjectHeader) -> Result<FillValue, Error> {
    let new = header.parse(storage, kind::FILL_VALUE, FillValue::NAME, FillValue::parse)?;
    if let Some(fill) = new {
        return Ok(fill);
    }
    let old =
        header.parse(storage, kind::OLD_FILL_VALUE, FillValue::OLD_NAME, FillValue::parse_old)?;
    Ok(old.unwrap_or_default())
}
