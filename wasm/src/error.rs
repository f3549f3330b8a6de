//! Errors as JavaScript objects: `{ class, code, message, location, offset, ranges }`.

use hdf5::{Class, Error};
use js_sys::{Array, Object, Reflect};
use medh5::ReadError;
use wasm_bindgen::JsValue;

use crate::source::as_number;

/// What a call throws.
pub(crate) type Thrown = JsValue;

/// The object for a failed read.
pub(crate) fn thrown(error: &ReadError) -> Thrown {
    match error {
        ReadError::File(error) => of_file(error),
        ReadError::Stopped => object("aborted", "LITE_ABORTED", "Stopped on request."),
        ReadError::Limit { .. } => object("limit", "LITE_LIMIT", &error.to_string()),
        ReadError::Value { code, message } => {
            object("malformed", code.map_or("LITE_VALUE", |code| code.name), message)
        }
        other => object("internal", "LITE_INTERNAL", &other.to_string()),
    }
}

/// The object for a call that ended early to be repeated.
pub(crate) fn paused() -> Thrown {
    object("paused", "LITE_PAUSED", "The call is to be repeated.")
}

/// The object for a request that cannot be met.
pub(crate) fn refused(message: &str) -> Thrown {
    object("request", "LITE_REQUEST", message)
}

fn of_file(error: &Error) -> Thrown {
    if let Some(ranges) = error.not_resident() {
        let thrown =
            object("not-resident", "LITE_NOT_RESIDENT", "These bytes must be fetched first.");
        let pairs: Array = ranges
            .iter()
            .flat_map(|range| [as_number(range.start), as_number(range.end)])
            .collect();
        set(&thrown, "ranges", &pairs);
        return thrown;
    }
    let (class, code) = match error.class() {
        Class::Malformed => ("malformed", "LITE_MALFORMED"),
        Class::Unsupported => ("unsupported", "LITE_UNSUPPORTED"),
        Class::Limit => ("limit", "LITE_LIMIT"),
        Class::Source => ("source", "LITE_SOURCE"),
        Class::Request => ("request", "LITE_REQUEST"),
    };
    let thrown = object(class, code, &error.to_string());
    place(error, &thrown);
    thrown
}

/// Adds the object and the offset that an error names.
fn place(error: &Error, thrown: &JsValue) {
    match error {
        Error::Object { path, source } => {
            set(thrown, "location", &path.into());
            place(source, thrown);
        }
        Error::Format(format) => set(thrown, "offset", &as_number(format.offset)),
        Error::Chunk { offset, .. } => set(thrown, "offset", &as_number(*offset)),
        _ => {}
    }
}

fn object(class: &str, code: &str, message: &str) -> JsValue {
    let object = Object::new();
    for (name, text) in [("class", class), ("code", code), ("message", message)] {
        set(&object, name, &text.into());
    }
    object.into()
}

/// Sets a property of an object that this module has just made; that cannot fail.
pub(crate) fn set(object: &JsValue, name: &str, value: &JsValue) {
    let _ = Reflect::set(object, &name.into(), value);
}
