//! One open file.
#![expect(
    clippy::missing_errors_doc,
    clippy::needless_pass_by_value,
    reason = "every call throws as `CoreFile` says; JavaScript hands values over, not references"
)]

use std::cell::{OnceCell, RefCell};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use hdf5::{ByteSource, OpenOptions, Window};
use js_sys::{Function, Object};
use medh5::cohort::FileSurvey;
use medh5::images::PlaneIndex;
use medh5::integrity::{fingerprint, verify};
use medh5::summary::{
    CollectionSummary, HistorySummary, IndexSummary, MemberSummary, Metadata, Node, SampleSummary,
    VerificationSummary,
};
use medh5::validate::{Memo, Options, Report, open_to_validate, to_json, validate_opened};
use medh5::{Opened, ReadError, Sample};
use report::{Form, Summary, Verdict};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::{Thrown, paused, refused, set, thrown};
use crate::shapes::Shapes;
use crate::source::HostSource;
use crate::texts::json;
use crate::validation::{HostObserver, Request};
use crate::values::{numbers, typed};

/// One file of the host.
///
/// Every call throws `{ class: "not-resident", ranges }` while bytes are missing; the caller fetches them, hands them over
/// by [`CoreFile::supply`] and repeats the call.
#[wasm_bindgen]
pub struct CoreFile {
    name: String,
    source: Arc<HostSource>,
    opened: OnceCell<Opened>,
    /// The file under the filters of the validator.
    validated: OnceCell<Opened>,
    /// What earlier calls of a long task found out, and the task.
    memo: RefCell<(String, Rc<Memo>)>,
    survey: RefCell<FileSurvey>,
    shapes: RefCell<Option<Rc<Shapes>>>,
}

#[wasm_bindgen]
impl CoreFile {
    /// A file of `byte_length` bytes. `read(start, end)` gives bytes at once, and is seldom called if it `is_slow`; without it they
    /// are supplied.
    #[wasm_bindgen(constructor)]
    pub fn new(name: String, byte_length: f64, read: Option<Function>, is_slow: bool) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a length below 2^53; the cast saturates"
        )]
        let len = byte_length as u64;
        let source = match read {
            Some(read) => HostSource::with_function(len, read, is_slow),
            None => HostSource::resident(len),
        };
        Self {
            survey: RefCell::new(FileSurvey::new(name.as_str())),
            name,
            source: Arc::new(source),
            opened: OnceCell::new(),
            validated: OnceCell::new(),
            memo: RefCell::default(),
            shapes: RefCell::default(),
        }
    }

    /// Hands over bytes that a call asked for; `offset` is the start of the range.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an offset below 2^53; the cast saturates"
    )]
    pub fn supply(&self, offset: f64, bytes: &[u8]) {
        self.source.supply(offset as u64, bytes);
    }

    /// Forgets all bytes that were supplied.
    pub fn forget(&self) {
        self.source.forget();
    }

    /// Bytes of the file that are held.
    #[wasm_bindgen(js_name = residentBytes)]
    #[expect(clippy::cast_precision_loss, reason = "below 2^53")]
    pub fn resident_bytes(&self) -> f64 {
        self.source.resident_bytes() as f64
    }

    /// What the sample, or the collection without a key, is about, as JSON.
    pub fn summary(&self, key: Option<String>) -> Result<String, Thrown> {
        match (key, self.opened()?) {
            (None, Opened::Collection(collection)) => {
                CollectionSummary::of(collection).map(|summary| json(&summary))
            }
            (key, _) => SampleSummary::of(&self.sample(key)?).map(|summary| json(&summary)),
        }
        .map_err(|error| thrown(&error))
    }

    /// The samples of a collection, a line each, as JSON.
    pub fn members(&self) -> Result<String, Thrown> {
        let Opened::Collection(collection) = self.opened()? else {
            return Err(refused("this is a sample, not a collection"));
        };
        let members = || -> Result<Vec<MemberSummary>, ReadError> {
            let mut members = Vec::new();
            for key in collection.keys()? {
                if let Some(sample) = collection.sample(&key)? {
                    members.push(MemberSummary::of(key, &sample)?);
                }
            }
            Ok(members)
        };
        members().map(|members| json(&members)).map_err(|error| thrown(&error))
    }

    /// The document and all attributes of a sample, as JSON.
    pub fn metadata(&self, key: Option<String>) -> Result<String, Thrown> {
        Metadata::of(&self.sample(key)?)
            .map(|metadata| json(&metadata))
            .map_err(|error| thrown(&error))
    }

    /// The groups, datasets and links of the file, as JSON.
    pub fn tree(&self) -> Result<String, Thrown> {
        let root = match self.opened()? {
            Opened::Sample(sample) => sample.root(),
            Opened::Collection(collection) => collection.root(),
        };
        Node::tree(root).map(|node| json(&node)).map_err(|error| thrown(&error))
    }

    /// The sampling index, entry by entry, as JSON.
    pub fn index(&self, key: Option<String>) -> Result<String, Thrown> {
        let sample = self.sample(key)?;
        let entries = || -> Result<Vec<IndexSummary>, ReadError> {
            let labels = sample.document()?.and_then(|document| document.label_set);
            let mut entries = Vec::new();
            for name in sample.indexed_annotations()? {
                if let Some(entry) = sample.index_entry(&name)? {
                    entries.push(IndexSummary::of(&entry, &sample, labels.as_ref())?);
                }
            }
            Ok(entries)
        };
        entries().map(|entries| json(&entries)).map_err(|error| thrown(&error))
    }

    /// The clinical history: events in order of time, documents and links, as JSON; `null` when there is none.
    pub fn clinical(&self, key: Option<String>) -> Result<String, Thrown> {
        let sample = self.sample(key)?;
        let history = sample.history().map_err(|error| thrown(&error))?;
        Ok(json(&history.as_ref().map(|history| HistorySummary {
            events: history.timeline(),
            documents: history.documents().collect(),
            links: history.links().collect(),
        })))
    }

    /// A foreground voxel of a class, from the index; the same for the same seed. `undefined` when there is none.
    pub fn draw(
        &self,
        key: Option<String>,
        annotation: &str,
        class_id: u32,
        seed: u64,
    ) -> Result<Option<Vec<f64>>, Thrown> {
        let sample = self.sample(key)?;
        let drawn = || -> Result<Option<Vec<i64>>, ReadError> {
            let Some(entry) = sample.index_entry(annotation)? else { return Ok(None) };
            Ok(entry.draw(class_id.into(), seed)?.map(|draw| draw.coordinate))
        };
        #[expect(clippy::cast_precision_loss, reason = "coordinates are below 2^31")]
        let numbers = |voxel: Vec<i64>| voxel.into_iter().map(|place| place as f64).collect();
        drawn().map(|voxel| voxel.map(numbers)).map_err(|error| thrown(&error))
    }

    /// One plane of an image as stored: `{ dtype, shape, data }`.
    pub fn plane(
        &self,
        key: Option<String>,
        image: &str,
        level: u32,
        axis: u32,
        index: u32,
        outer: Vec<u32>,
    ) -> Result<JsValue, Thrown> {
        let sample = self.sample(key)?;
        let read = || {
            let view = sample.image(image)?;
            let view =
                view.ok_or_else(|| ReadError::value(format!("there is no image `{image}`")))?;
            let outer = outer.iter().map(|place| u64::from(*place)).collect();
            view.plane(
                level as usize,
                &PlaneIndex { axis: axis as usize, index: index.into(), outer },
            )
        };
        read().map(|array| typed(&array)).map_err(|error| thrown(&error))
    }

    /// Which voxels of a box belong to each class: `{ classIds, shape, masks }`, one byte per voxel, class by class.
    /// A mask has the one class 1.
    pub fn masks(
        &self,
        key: Option<String>,
        annotation: &str,
        start: Vec<u32>,
        shape: Vec<u32>,
    ) -> Result<JsValue, Thrown> {
        let sample = self.sample(key)?;
        let region = region(&start, &shape);
        let read = || {
            let view = sample.annotation(annotation)?;
            let view = view.ok_or_else(|| {
                ReadError::value(format!("there is no annotation `{annotation}`"))
            })?;
            if view.kind()? == Some(medh5::annotations::Kind::Mask) {
                return Ok((vec![1], view.mask(&region)?));
            }
            let masks = view.class_masks(&region, None)?;
            Ok((masks.class_ids, masks.values))
        };
        let (class_ids, values) = read().map_err(|error| thrown(&error))?;
        let object = Object::new();
        let ids: Vec<u64> = class_ids.iter().map(|id| id.unsigned_abs()).collect();
        let extents: Vec<u64> = shape.iter().map(|extent| u64::from(*extent)).collect();
        set(&object, "classIds", &numbers(&ids));
        set(&object, "shape", &numbers(&extents));
        set(&object, "masks", &js_sys::Uint8Array::from(values.as_slice()));
        Ok(object.into())
    }

    /// Which voxels of a box an annotation says nothing about, one byte per voxel; `undefined` when there is none.
    pub fn ignored(
        &self,
        key: Option<String>,
        annotation: &str,
        start: Vec<u32>,
        shape: Vec<u32>,
    ) -> Result<Option<Vec<u8>>, Thrown> {
        let sample = self.sample(key)?;
        let read = || match sample.annotation(annotation)? {
            Some(view) => view.ignored(&region(&start, &shape)),
            None => Err(ReadError::value(format!("there is no annotation `{annotation}`"))),
        };
        read().map_err(|error| thrown(&error))
    }

    /// The elements of a window of any dataset as stored: `{ dtype, shape, data }`.
    #[wasm_bindgen(js_name = readRegion)]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "extents below 2^53; the cast saturates"
    )]
    pub fn read_region(
        &self,
        key: Option<String>,
        path: &str,
        start: Option<Vec<f64>>,
        shape: Option<Vec<f64>>,
    ) -> Result<JsValue, Thrown> {
        let sample = self.sample(key)?;
        let read = || {
            let dataset = sample.dataset(path)?;
            let dataset =
                dataset.ok_or_else(|| ReadError::value(format!("there is no dataset `{path}`")))?;
            let whole =
                |values: Vec<f64>| values.into_iter().map(|value| value as u64).collect::<Vec<_>>();
            let window = match (start, shape) {
                (Some(start), Some(shape)) => Window::new(&whole(start), &whole(shape)),
                _ => Window::all(dataset.shape()),
            };
            Ok(dataset.read_window(&window)?)
        };
        read().map(|array| typed(&array)).map_err(|error: ReadError| thrown(&error))
    }

    /// Compares digests and `content_id` with the data, as JSON. `progress(bytes)` may answer `false` to stop. Throws
    /// `{ class: "paused" }` after a slice of time; the repeated call goes on from there.
    pub fn verify(
        &self,
        key: Option<String>,
        progress: Option<Function>,
    ) -> Result<String, Thrown> {
        let memo = self.memo(&format!("verify {key:?}"));
        let observer = HostObserver::new(progress, &memo);
        let found = verify(&self.sample(key)?, None, &observer);
        self.finish(found.map(|found| json(&VerificationSummary::from(&found))), &observer)
    }

    /// Validates the file: the report as the command line prints it for this one file. `progress(bytes)` may answer
    /// `false` to stop; `found(json)` hears of each finding. Throws `{ class: "paused" }` after a slice of time; the repeated
    /// call goes on from there.
    pub fn validate(
        &self,
        options: &str,
        progress: Option<Function>,
        found: Option<Function>,
    ) -> Result<String, Thrown> {
        let request = Request::parse(options)?;
        let selection = request.selection()?;
        let memo = self.memo(&format!("validate {options}"));
        let observer =
            HostObserver::new(progress, &memo).telling(found, &request, selection.clone());
        let options = request.options(&observer)?;
        let report = match self.validated(&options) {
            Ok(opened) => validate_opened(&self.name, opened, self.source.len(), &options),
            Err(error) if error.is_interruption() => Err(error),
            Err(error) => Ok(Report::refused(&self.name, &options, &error.sentence())),
        };
        let text = |report: Report| {
            if request.selects_all() {
                return to_json([&report]);
            }
            written(&selection.judge(report, self.source.len()))
        };
        self.finish(report.map(text), &observer)
    }

    /// The entries of this file for an audit, as JSON: one per sample.
    pub fn survey(&self) -> Result<String, Thrown> {
        let options = OpenOptions { filters: medh5::storage::reading(), ..OpenOptions::default() };
        let opened = match self.opened.get() {
            Some(opened) => Ok(opened),
            None => medh5::sample::open_with(self.source.clone(), options)
                .map(|opened| self.opened.get_or_init(|| opened)),
        };
        let mut survey = self.survey.borrow_mut();
        let entries = survey.run(opened.as_ref().copied()).map_err(|error| thrown(&error))?;
        Ok(json(entries))
    }

    /// The shapes of an annotation on the grid of an image, as JSON; none for one that is no shape.
    pub fn shapes(
        &self,
        key: Option<String>,
        annotation: &str,
        image: &str,
    ) -> Result<String, Thrown> {
        Ok(self.shapes_of(key, annotation, image)?.listed())
    }

    /// What a plane of the image shows of the shapes of an annotation, as JSON: `at` is the place on the cut axis.
    pub fn sections(
        &self,
        key: Option<String>,
        annotation: &str,
        image: &str,
        axis: u32,
        at: f64,
    ) -> Result<String, Thrown> {
        Ok(self.shapes_of(key, annotation, image)?.in_plane(axis as usize, at))
    }

    /// BLAKE3 of the file's bytes, in hex.
    pub fn fingerprint(&self) -> Result<String, Thrown> {
        fingerprint(&*self.source)
            .map(|digest| digest.to_string())
            .map_err(|error| thrown(&hdf5::Error::from(error).into()))
    }
}

/// A box of voxels.
fn region(start: &[u32], shape: &[u32]) -> Vec<Range<u64>> {
    let axes = start.iter().zip(shape);
    axes.map(|(start, extent)| u64::from(*start)..u64::from(*start) + u64::from(*extent)).collect()
}

/// The JSON of one file with what the selection mutes.
fn written(verdict: &Verdict) -> String {
    let (mut report, mut out) = (Form::Json.report(0), Vec::new());
    let mut summary = Summary::of(1);
    summary.add(verdict);
    // Writing to memory cannot fail.
    let _ = report.file(verdict, &mut out).and_then(|()| report.finish(&summary, &mut out));
    String::from_utf8_lossy(&out).into_owned()
}

impl CoreFile {
    /// What earlier calls of this task found out; nothing when the last one was another task.
    fn memo(&self, task: &str) -> Rc<Memo> {
        let mut memo = self.memo.borrow_mut();
        if memo.0 != task {
            *memo = (task.to_owned(), Rc::default());
        }
        Rc::clone(&memo.1)
    }

    /// Ends a call of a long task: what it found out is forgotten unless the call will be repeated.
    fn finish(
        &self,
        result: Result<String, ReadError>,
        observer: &HostObserver<'_>,
    ) -> Result<String, Thrown> {
        match result {
            Err(ReadError::Stopped) if !observer.is_stopped() => Err(paused()),
            Err(error) if error.is_interruption() && !observer.is_stopped() => Err(thrown(&error)),
            result => {
                *self.memo.borrow_mut() = Default::default();
                result.map_err(|error| thrown(&error))
            }
        }
    }

    fn validated(&self, options: &Options<'_>) -> Result<&Opened, ReadError> {
        if let Some(opened) = self.validated.get() {
            return Ok(opened);
        }
        let opened = open_to_validate(self.source.clone(), options)?;
        Ok(self.validated.get_or_init(|| opened))
    }

    fn shapes_of(
        &self,
        key: Option<String>,
        annotation: &str,
        image: &str,
    ) -> Result<Rc<Shapes>, Thrown> {
        let is_same = |known: &&Rc<Shapes>| {
            (&known.key, known.annotation.as_str(), known.image.as_str())
                == (&key, annotation, image)
        };
        if let Some(known) = self.shapes.borrow().as_ref().filter(is_same) {
            return Ok(Rc::clone(known));
        }
        let sample = self.sample(key.clone())?;
        let shapes = Rc::new(Shapes::read(&sample, key, annotation, image)?);
        *self.shapes.borrow_mut() = Some(Rc::clone(&shapes));
        Ok(shapes)
    }

    fn opened(&self) -> Result<&Opened, Thrown> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let options = OpenOptions { filters: medh5::storage::reading(), ..OpenOptions::default() };
        let opened = medh5::sample::open_with(self.source.clone(), options)
            .map_err(|error| thrown(&error))?;
        Ok(self.opened.get_or_init(|| opened))
    }

    fn sample(&self, key: Option<String>) -> Result<Sample, Thrown> {
        match (key, self.opened()?) {
            (None, Opened::Sample(sample)) => Ok(sample.clone()),
            (Some(key), Opened::Collection(collection)) => collection
                .sample(&key)
                .map_err(|error| thrown(&error))?
                .ok_or_else(|| refused(&format!("the collection has no sample `{key}`"))),
            (None, Opened::Collection(_)) => {
                Err(refused("this is a collection; name one of its samples"))
            }
            (Some(_), Opened::Sample(_)) => Err(refused("this is a sample, it has no members")),
        }
    }
}
