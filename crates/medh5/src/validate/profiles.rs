//! The profiles: promises about what a sample holds, which it declares or a caller asks for.

/// Every profile.
pub const PROFILES: &[&str] = &[
    "core",
    "seg",
    "det",
    "cls",
    "reg",
    "curation",
    "multiscale",
    "training",
    "longitudinal",
    "clinical",
];

/// Whether there is a profile of this name.
pub fn is_profile(name: &str) -> bool {
    PROFILES.contains(&name)
}

/// The declared profiles as stored, then those asked for that are not among them.
pub(super) fn held(declared: &[String], required: &[String]) -> Vec<String> {
    let mut held = declared.to_vec();
    for profile in required {
        if !held.contains(profile) {
            held.push(profile.clone());
        }
    }
    held
}
