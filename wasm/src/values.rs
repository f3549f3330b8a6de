//! Arrays as typed arrays: `{ dtype, shape, data }`.

use hdf5::{Array, Elements};
use js_sys::{
    BigInt64Array, BigUint64Array, Float32Array, Float64Array, Int8Array, Int16Array, Int32Array,
    Object, Uint8Array, Uint16Array, Uint32Array,
};
use wasm_bindgen::JsValue;

use crate::error::set;
use crate::source::as_number;

/// Elements in C order with their shape. Half precision is widened to single; text becomes an array of strings.
pub(crate) fn typed(array: &Array) -> JsValue {
    let (dtype, data): (&str, JsValue) = match &array.elements {
        Elements::I8(values) => ("int8", Int8Array::from(values.as_slice()).into()),
        Elements::U8(values) => ("uint8", Uint8Array::from(values.as_slice()).into()),
        Elements::I16(values) => ("int16", Int16Array::from(values.as_slice()).into()),
        Elements::U16(values) => ("uint16", Uint16Array::from(values.as_slice()).into()),
        Elements::I32(values) => ("int32", Int32Array::from(values.as_slice()).into()),
        Elements::U32(values) => ("uint32", Uint32Array::from(values.as_slice()).into()),
        Elements::I64(values) => ("int64", BigInt64Array::from(values.as_slice()).into()),
        Elements::U64(values) => ("uint64", BigUint64Array::from(values.as_slice()).into()),
        Elements::F16(values) => {
            let widened: Vec<f32> = values.iter().map(|value| value.to_f32()).collect();
            ("float16", Float32Array::from(widened.as_slice()).into())
        }
        Elements::F32(values) => ("float32", Float32Array::from(values.as_slice()).into()),
        Elements::F64(values) => ("float64", Float64Array::from(values.as_slice()).into()),
        Elements::Strings(texts) => {
            let texts =
                texts.iter().map(|text| JsValue::from(String::from_utf8_lossy(text).as_ref()));
            ("string", texts.collect::<js_sys::Array>().into())
        }
        Elements::Raw { bytes, .. } => ("bytes", Uint8Array::from(bytes.as_slice()).into()),
        _ => ("bytes", JsValue::NULL),
    };
    let object = Object::new();
    set(&object, "dtype", &dtype.into());
    set(&object, "shape", &numbers(&array.shape));
    set(&object, "data", &data);
    object.into()
}

/// A plain array of numbers.
pub(crate) fn numbers(values: &[u64]) -> JsValue {
    values.iter().map(|value| as_number(*value)).collect::<js_sys::Array>().into()
}
