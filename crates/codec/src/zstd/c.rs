//! Zstandard by libzstd.

use zstd_safe::{DCtx, DDict};

use super::{CODEC, Frame};
use crate::Error;

#[derive(Default)]
pub(super) struct Backend {
    state: DCtx<'static>,
    dictionary: Option<DDict<'static>>,
}

impl super::Backend for Backend {
    fn set_dictionary(&mut self, dictionary: Option<&[u8]>) -> Result<(), Error> {
        self.dictionary = match dictionary {
            Some(bytes) => Some(DDict::try_create(bytes).ok_or(Error::Damaged { codec: CODEC })?),
            None => None,
        };
        Ok(())
    }

    fn decode(&mut self, frame: &Frame<'_>, target: &mut [u8]) -> Option<usize> {
        match &self.dictionary {
            Some(dictionary) => {
                self.state.decompress_using_ddict(target, frame.bytes, dictionary).ok()
            }
            None => self.state.decompress(target, frame.bytes).ok(),
        }
    }
}
