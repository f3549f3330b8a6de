//! A sample: the root group of one subject's file, or one member of a collection.

/// One subject's sample.
#[derive(Debug, Clone)]
pub struct Sample {
    pub(crate) root: hdf5::Group,
}

impl Sample {
    /// The sample whose root is this group.
    pub fn new(root: hdf5::Group) -> Self {
        Self { root }
    }

    /// The root group.
    pub fn root(&self) -> &hdf5::Group {
        &self.root
    }
}
