//! Classes as people name them: by id, or by key in the label set.

use medh5::labels::LabelSet;

use crate::exit::Failure;

/// The class of this id or key.
///
/// # Errors
/// [`Failure::Usage`] when it is neither a number nor a key.
pub(crate) fn id(name: &str, labels: Option<&LabelSet>) -> Result<i64, Failure> {
    let by_key = || labels?.classes.iter().find(|class| class.key == name).map(|class| class.id);
    name.parse().ok().or_else(by_key).ok_or_else(|| {
        Failure::Usage(format!(
            "there is no class `{name}`: neither a number nor a key of the label set"
        ))
    })
}

/// `3 (liver)`, or the id alone when the label set does not know it.
pub(crate) fn name(id: i64, labels: Option<&LabelSet>) -> String {
    let class = labels.and_then(|labels| labels.class(id));
    class.map_or_else(|| id.to_string(), |class| format!("{id} ({})", class.key))
}
