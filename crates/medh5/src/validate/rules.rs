//! The rules, one file each, in the order in which they run.

use super::Rule;

mod annotations;
mod bulk_storage;
mod clinical;
mod clinical_digests;
mod clinical_records;
mod container;
mod curation;
mod document;
mod geometry;
mod images;
mod implicit_closure;
mod instance_identity;
mod integrity;
mod label_set;
mod multiscale;
mod ontology_bindings;
mod profiles;
mod references;
mod splits;
mod timepoints;
mod transforms;

/// Every rule, in the order in which they run and are listed in reports.
pub(super) const RULES: &[Rule] = &[
    container::RULE,
    document::RULE,
    geometry::RULE,
    images::RULE,
    annotations::RULE,
    bulk_storage::RULE,
    clinical::RULE,
    timepoints::RULE,
    instance_identity::RULE,
    references::RULE,
    transforms::RULE,
    label_set::RULE,
    implicit_closure::RULE,
    multiscale::RULE,
    curation::RULE,
    splits::RULE,
    profiles::RULE,
    ontology_bindings::RULE,
    clinical_records::RULE,
    integrity::RULE,
    clinical_digests::RULE,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::Level;

    #[test]
    fn levels_only_rise() {
        assert!(RULES.is_sorted_by_key(|rule| rule.level));
        assert!(RULES.iter().all(|rule| rule.level < Level::Strict));
    }
}
