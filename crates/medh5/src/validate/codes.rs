//! The one table of diagnostic codes: name, severity, domain, format version, table revision, meaning.

use super::Level;

/// How much a finding weighs. It follows the first letter of the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The file breaks the format.
    Error,
    /// The file is legal, and something about it deserves a look.
    Warning,
}

impl Severity {
    /// The word that reports use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }

    /// Whether this counts as an error when a file is judged at `level`.
    pub fn fails_at(self, level: Level) -> bool {
        self == Self::Error || level == Level::Strict
    }
}

/// The part of the format that a code is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each variant is named after its chapter")]
pub enum Domain {
    Container,
    Geometry,
    Images,
    Labels,
    Annotations,
    Transforms,
    Curation,
    Integrity,
    Clinical,
}

impl Domain {
    /// The word that reports use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Container => "container",
            Self::Geometry => "geometry",
            Self::Images => "images",
            Self::Labels => "labels",
            Self::Annotations => "annotations",
            Self::Transforms => "transforms",
            Self::Curation => "curation",
            Self::Integrity => "integrity",
            Self::Clinical => "clinical",
        }
    }
}

/// A diagnostic code. Its name is stable: never reused, never given another meaning.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// `E202`.
    pub name: &'static str,
    /// How much a finding weighs.
    pub severity: Severity,
    /// The part of the format it is about.
    pub domain: Domain,
    /// The format version that introduced it.
    pub since: &'static str,
    /// The revision of this table that introduced it.
    pub revision: u8,
    /// What it means, in one line.
    pub summary: &'static str,
    /// Its page in Markdown: what it means, why it matters, an example, how to repair, where it is specified.
    pub page: &'static str,
}

/// The latest revision of the table.
pub const REVISION: u8 = 2;

/// The code of this name.
pub fn find(name: &str) -> Option<&'static Code> {
    ALL.iter().copied().find(|code| code.name == name)
}

macro_rules! codes {
    ($($name:ident $severity:ident $domain:ident $since:literal $revision:literal $summary:literal;)*) => {
        $(
            #[doc = $summary]
            pub const $name: &Code = &Code {
                name: stringify!($name),
                severity: Severity::$severity,
                domain: Domain::$domain,
                since: $since,
                revision: $revision,
                summary: $summary,
                page: include_str!(concat!("codes/", stringify!($name), ".md")),
            };
        )*

        /// Every code, in order of its name.
        pub const ALL: &[&Code] = &[$($name),*];
    };
}

codes! {
    E001 Error Container "1.0" 1 "the version is missing, or the file or an object that a rule needs cannot be read";
    E002 Error Container "1.0" 1 "the major version is not one this validator knows";
    E003 Error Container "1.0" 1 "a name breaks the syntax of identifiers";
    E004 Error Container "1.0" 1 "`meta` is absent or is not one string of UTF-8 JSON";
    E005 Error Container "1.0" 1 "`meta` does not have the structure of a sample document";
    E006 Error Container "1.0" 1 "`medh5_kind` is missing or unknown";
    E007 Error Container "1.0" 1 "`medh5_profiles` is missing or names an unknown profile";
    E008 Error Container "1.0" 1 "a group of the layout is absent, empty, or not a group";
    E009 Error Container "1.0" 1 "the file does not hold what one of its profiles requires";
    E010 Error Container "1.0" 1 "a sample in a collection has no `content_id` of its own";
    E011 Error Container "1.1" 1 "a collection declares a lower version than one of its samples";
    E101 Error Geometry "1.0" 1 "a named grid does not exist";
    E102 Error Geometry "1.0" 1 "the columns of `direction` are not orthonormal within 1e-4";
    E103 Error Geometry "1.0" 1 "the spatial axes are not the last ones";
    E104 Error Geometry "1.0" 1 "a `spacing` is not a positive, finite number";
    E105 Error Geometry "1.0" 1 "the levels of an image pyramid are incomplete or disagree with level 0";
    E106 Error Geometry "1.0" 1 "a grid names no timepoint although the sample has several";
    E107 Error Geometry "1.0" 1 "a grid names a timepoint that the document does not declare";
    E108 Error Geometry "1.0" 1 "the timepoints are missing, repeated, not numbered from 0, or out of order";
    E109 Error Geometry "1.0" 1 "a grid is not a group, or one of its attributes is missing, malformed or outside its vocabulary";
    E110 Error Geometry "1.0" 1 "the axis kinds do not make a grid of two or three spatial axes";
    E111 Error Geometry "1.0" 1 "`grids` holds no grid";
    E201 Error Images "1.0" 1 "`images` holds no image";
    E202 Error Images "1.0" 1 "an image and its grid differ in shape";
    E203 Error Images "1.0" 1 "the `value_type` of an image is unknown";
    E204 Error Images "1.0" 1 "the channel names do not match the channels of the grid";
    E205 Error Images "1.0" 1 "an image lacks a required attribute";
    E301 Error Labels "1.0" 1 "a profile needs a label set and the document has none";
    E302 Error Labels "1.0" 1 "two classes of the label set share an id or a key";
    E303 Error Labels "1.0" 1 "a class uses one of the reserved ids 0 and 65535";
    E304 Error Labels "1.0" 1 "a class is its own ancestor";
    E305 Error Labels "1.0" 1 "a label set by reference lacks its address or its digest, or its form is unknown";
    E306 Error Labels "1.0" 1 "a class is incomplete or out of range, or a parent or relation names no class";
    E401 Error Annotations "1.0" 1 "the `kind` of an annotation is unknown in this format version";
    E402 Error Annotations "1.0" 1 "an annotation uses a class that the label set does not hold";
    E403 Error Annotations "1.0" 1 "an annotation covers classes that it does not list";
    E404 Error Annotations "1.0" 1 "stored values break a rule of the annotation's encoding";
    E405 Error Annotations "1.0" 1 "a dataset does not fit the grid or the annotation's other datasets";
    E406 Error Annotations "1.0" 1 "a box is inverted or not finite";
    E407 Error Annotations "1.0" 1 "a rotation of an oriented box is not a proper rotation";
    E408 Error Annotations "1.0" 1 "offsets decrease or do not delimit the data they index";
    E409 Error Annotations "1.0" 1 "an annotation names a timepoint that the document does not declare";
    E410 Error Annotations "1.0" 1 "an annotation lacks a dataset that its kind requires";
    E411 Error Annotations "1.0" 1 "a dataset has a type or a value that the annotation's kind does not permit";
    E412 Error Annotations "1.0" 1 "an annotation lacks an attribute, or one is outside its vocabulary";
    E413 Error Annotations "1.0" 1 "a reference leads nowhere, or to something that is not a mask on the same grid";
    E414 Error Annotations "1.0" 1 "the space of an annotation contradicts its grid or frame";
    E501 Error Transforms "1.0" 1 "the components of a composite transform do not form its chain";
    E502 Error Transforms "1.0" 1 "a transform lacks its kind, frames or parameters, or they are unknown";
    E503 Error Transforms "1.0" 1 "a displacement field or its control points do not fit their grid";
    E504 Error Transforms "1.0" 1 "an affine matrix is not a finite homogeneous matrix of the grid's dimension";
    E505 Error Transforms "1.0" 1 "a transform and its inverse do not agree";
    E506 Error Transforms "1.0" 1 "a transform lacks its units, or they differ from those of its grids";
    E601 Error Curation "1.0" 1 "an object names a provenance activity that is not declared";
    E602 Error Curation "1.0" 1 "an object names a quality record that is not declared";
    E603 Error Curation "1.0" 1 "the type of an agent or of an activity is unknown";
    E604 Error Curation "1.0" 1 "a date or time is not written as RFC 3339 asks";
    E605 Error Curation "1.0" 1 "an activity names an agent that is not declared";
    E701 Error Integrity "1.0" 1 "a dataset's content differs from its digest";
    E702 Error Integrity "1.0" 1 "`content_id` differs from the file, or leaves out a dataset that has a digest";
    E703 Error Integrity "1.0" 1 "a digest is not spelled as a digest";
    E704 Error Integrity "1.0" 1 "an object that `content_id` covers is also reached by a path that it does not cover";
    E801 Error Clinical "1.1" 1 "`clinical/meta` is absent or is not canonical JSON in one UTF-8 string";
    E802 Error Clinical "1.1" 1 "`clinical/meta` breaks the descriptor's structure or its clock rules";
    E803 Error Clinical "1.1" 1 "the file has clinical content and does not declare the profile";
    E804 Error Clinical "1.1" 1 "a clinical table or column is missing, or a member is unknown";
    E805 Error Clinical "1.1" 1 "a clinical column has the wrong type, rank or number of rows";
    E806 Error Clinical "1.1" 1 "the offsets of a text column are malformed, or a cell is not UTF-8";
    E807 Error Clinical "1.1" 1 "a validity mask is malformed or misplaced, or a null cell holds a value";
    E808 Error Clinical "1.1" 1 "a valid clinical number is not finite";
    E809 Error Clinical "1.1" 1 "a clinical identifier is empty, malformed or repeated";
    E810 Error Clinical "1.1" 1 "a clinical word is outside its vocabulary";
    E811 Error Clinical "1.1" 1 "the times of an event are incomplete, inverted, or not those of its temporal type";
    E812 Error Clinical "1.1" 1 "the value fields of an event contradict one another";
    E813 Error Clinical "1.1" 1 "a clinical reference leads to nothing in the sample";
    E814 Error Clinical "1.1" 1 "a link's text span, instance or timepoint is impossible";
    E815 Error Clinical "1.1" 1 "documents and the events that own them are not one to one";
    E816 Error Clinical "1.1" 1 "a chain of revisions is broken, branches, loops, or runs against time";
    E817 Error Clinical "1.1" 1 "a lesion assessment lacks its timepoint, its instance or a permitted value";
    E818 Error Clinical "1.1" 1 "a clinical dataset has no digest";
    E819 Error Clinical "1.1" 1 "a clinical object has an attribute that the profile does not define";
    W901 Warning Integrity "1.0" 1 "no dataset has a digest";
    W902 Warning Container "1.0" 1 "a large dataset is not chunked or not compressed";
    W903 Warning Curation "1.0" 1 "the document has no record of de-identification";
    W904 Warning Annotations "1.0" 1 "some classes are not covered and no region says where to ignore them";
    W905 Warning Integrity "1.0" 1 "an entry of the sampling index is older than its annotation";
    W906 Warning Curation "1.0" 1 "split claims for one set contradict one another";
    W907 Warning Images "1.0" 1 "floats are stored where 16-bit integers would hold the same values";
    W908 Warning Annotations "1.0" 1 "the layers could be far fewer";
    W909 Warning Annotations "1.0" 1 "one instance has two different classes";
    W910 Warning Geometry "1.0" 1 "grids of different timepoints share a frame of reference";
    W911 Warning Geometry "1.0" 1 "no transform relates the timepoints of the sample";
    W912 Warning Labels "1.0" 1 "a class in use has no ontology code";
    W913 Warning Container "1.1" 1 "the file is of a later minor version: what it adds was not judged";
    W914 Warning Clinical "1.1" 1 "a clinical number has no unit";
    W915 Warning Integrity "1.0" 2 "a dataset that `content_id` should cover has no digest";
    W916 Warning Annotations "1.0" 2 "a class is absent where one of its descendants is present";
    W917 Warning Geometry "1.0" 2 "grids of one frame of reference differ in dimension or coordinate system";
    W918 Warning Annotations "1.0" 2 "a voxel annotation declares implicit closure";
    W919 Warning Annotations "1.0" 2 "a contour's role contradicts how deep it is nested";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_tell_the_severity() {
        assert!(ALL.windows(2).all(|pair| pair[0].name < pair[1].name));
        for code in ALL {
            let expected =
                if code.name.starts_with('E') { Severity::Error } else { Severity::Warning };
            assert_eq!(code.severity, expected, "{}", code.name);
            assert!(code.revision <= REVISION, "{}", code.name);
        }
    }

    #[test]
    fn every_page_has_its_headings_in_order() {
        let expected =
            ["What it means", "Why it matters", "Example", "How to repair", "Specification"];
        for code in ALL {
            let mut lines = code.page.lines();
            assert_eq!(lines.next(), Some(format!("# {}", code.name).as_str()));
            let headings: Vec<_> = lines.filter_map(|line| line.strip_prefix("## ")).collect();
            assert_eq!(headings, expected, "{}", code.name);
        }
    }

    #[test]
    fn a_code_is_found_by_name() {
        assert_eq!(find("W913"), Some(W913));
        assert_eq!(find("W999"), None);
    }
}
