//! Validation and verification on behalf of a host: options in, progress and findings out, and slices of time.

use std::sync::Mutex;

use js_sys::{Date, Function};
use medh5::validate::{Finding, Level, Memo, Observer, Options};
use report::Selection;
use send_wrapper::SendWrapper;
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;

use crate::error::{Thrown, refused};
use crate::texts::json;

/// Milliseconds between two calls of a progress function.
const PROGRESS_INTERVAL: f64 = 100.0;

/// Milliseconds after which a call ends early, so that the host can hear other things.
const SLICE: f64 = 30.0;

/// What a caller may ask of a validation.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Request {
    level: String,
    profiles: Vec<String>,
    codes_revision: Option<i64>,
    select: Vec<String>,
    ignore: Vec<String>,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            level: Level::Semantic.name().to_owned(),
            profiles: Vec::new(),
            codes_revision: None,
            select: Vec::new(),
            ignore: Vec::new(),
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

    /// Which findings count.
    pub(crate) fn selection(&self) -> Result<Selection, Thrown> {
        Selection::new(&self.select, &self.ignore).map_err(|error| refused(&error.to_string()))
    }

    /// Whether every finding counts.
    pub(crate) fn selects_all(&self) -> bool {
        self.select.is_empty() && self.ignore.is_empty()
    }

    /// The latest revision whose codes are reported.
    pub(crate) fn reports(&self, found: &Finding) -> bool {
        self.codes_revision.is_none_or(|revision| i64::from(found.code.revision) <= revision)
    }
}

/// A finding as it is told while a validation runs.
#[derive(Serialize)]
struct Told<'a> {
    code: &'static str,
    severity: &'static str,
    location: String,
    message: &'a str,
    level: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    suppressed: bool,
}

/// The host during a call: hears how many bytes were looked at and what was found, and gets its turn after a slice of time.
pub(crate) struct HostObserver<'a> {
    progress: Option<SendWrapper<Function>>,
    found: Option<(SendWrapper<Function>, &'a Request, Selection)>,
    memo: &'a Memo,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    bytes: u64,
    told_at: f64,
    /// When the first chance to pause came: what comes before it must not use up the slice, or a call would never get on.
    slice_from: Option<f64>,
    is_stopped: bool,
}

impl<'a> HostObserver<'a> {
    /// `progress(bytes)` may answer `false` to stop.
    pub(crate) fn new(progress: Option<Function>, memo: &'a Memo) -> Self {
        let progress = progress.map(SendWrapper::new);
        Self { progress, found: None, memo, state: Mutex::default() }
    }

    /// Also tells `found(json)` of each finding.
    pub(crate) fn telling(
        self,
        found: Option<Function>,
        request: &'a Request,
        selection: Selection,
    ) -> Self {
        Self { found: found.map(|found| (SendWrapper::new(found), request, selection)), ..self }
    }

    /// Whether the host asked to stop, as opposed to a call that ended early to be repeated.
    pub(crate) fn is_stopped(&self) -> bool {
        self.state.lock().is_ok_and(|state| state.is_stopped)
    }
}

impl Observer for HostObserver<'_> {
    fn should_stop(&self) -> bool {
        self.is_stopped()
    }

    fn should_pause(&self) -> bool {
        let Ok(mut state) = self.state.lock() else { return false };
        let now = Date::now();
        now - *state.slice_from.get_or_insert(now) >= SLICE
    }

    fn memo(&self) -> Option<&Memo> {
        Some(self.memo)
    }

    fn found(&self, prefix: &str, findings: &[Finding]) {
        let Some((function, request, selection)) = &self.found else { return };
        for found in findings.iter().filter(|found| request.reports(found)) {
            let told = Told {
                code: found.code.name,
                severity: found.code.severity.name(),
                location: format!("{prefix}{}", found.location),
                message: &found.message,
                level: &request.level,
                suppressed: selection.mutes(found.code),
            };
            // A listener that throws is its owner's matter.
            let _ = function.call1(&JsValue::NULL, &json(&told).into());
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "progress needs no exact bytes")]
    fn progress(&self, bytes: u64) {
        let (Some(function), Ok(mut state)) = (&self.progress, self.state.lock()) else { return };
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
