//! Validation and verification on behalf of a page: options in, progress out.

use std::sync::Mutex;

use js_sys::{Date, Function};
use medh5::validate::{Level, Observer, Options};
use send_wrapper::SendWrapper;
use serde::Deserialize;
use wasm_bindgen::JsValue;

use crate::error::{Thrown, refused};

/// Milliseconds between two calls of a progress function.
const PROGRESS_INTERVAL: f64 = 100.0;

/// What a caller may ask of a validation.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Request {
    level: String,
    profiles: Vec<String>,
    codes_revision: Option<i64>,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            level: Level::Semantic.name().to_owned(),
            profiles: Vec::new(),
            codes_revision: None,
        }
    }
}

impl Request {
    /// Reads a request from JSON.
    pub(crate) fn parse(json: &str) -> Result<Self, Thrown> {
        serde_json::from_str(json)
            .map_err(|error| refused(&format!("the options are wrong: {error}")))
    }

    /// The core's options.
    pub(crate) fn options<'a>(&self, observer: &'a dyn Observer) -> Result<Options<'a>, Thrown> {
        let level: Level = self.level.parse().map_err(|error| refused(&format!("{error}")))?;
        let mut options = Options::new(level).observed_by(observer);
        for profile in &self.profiles {
            options = options.require(profile).map_err(|error| refused(&error.to_string()))?;
        }
        match self.codes_revision {
            Some(revision) => options.pin(revision).map_err(|error| refused(&error.to_string())),
            None => Ok(options),
        }
    }
}

/// Tells the host how many bytes were looked at. The function may answer `false` to stop the run.
pub(crate) struct HostObserver {
    function: Option<SendWrapper<Function>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    bytes: u64,
    told_at: f64,
    is_stopped: bool,
}

impl HostObserver {
    pub(crate) fn new(function: Option<Function>) -> Self {
        Self { function: function.map(SendWrapper::new), state: Mutex::default() }
    }
}

impl Observer for HostObserver {
    fn should_stop(&self) -> bool {
        self.state.lock().is_ok_and(|state| state.is_stopped)
    }

    #[expect(clippy::cast_precision_loss, reason = "progress needs no exact bytes")]
    fn progress(&self, bytes: u64) {
        let (Some(function), Ok(mut state)) = (&self.function, self.state.lock()) else { return };
        state.bytes += bytes;
        let now = Date::now();
        if now - state.told_at < PROGRESS_INTERVAL {
            return;
        }
        state.told_at = now;
        let answer = function.call1(&JsValue::NULL, &JsValue::from_f64(state.bytes as f64));
        state.is_stopped = answer.is_ok_and(|answer| answer.as_bool() == Some(false));
    }
}
