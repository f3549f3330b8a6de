//! Sample documents made of any text.

use medh5::document::judge_text;
use medh5::integrity::canonical_json;
use medh5::json;

/// Judges `data` as the text of `/meta`: strictly, and as a projection of a newer minor version.
///
/// Nothing panics, the answer is the same when asked twice, and the canonical form of a canonical form is itself.
pub fn document(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for is_projection in [false, true] {
        let told = || {
            let judged = judge_text(text, is_projection);
            (judged.document.is_some(), format!("{judged:?}"))
        };
        assert_eq!(told(), told(), "asked twice");
    }
    if let Ok(value) = json::parse(text) {
        let canonical = canonical_json(&value);
        let again = json::parse(&canonical).expect("canonical JSON is JSON");
        assert_eq!(canonical_json(&again), canonical);
    }
}
