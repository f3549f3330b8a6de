//! Zstandard by libzstd.

use alloc::vec::Vec;

use zstd_safe::{CCtx, DCtx, DDict};

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

pub(super) struct EncoderBackend {
    state: CCtx<'static>,
    level: i32,
}

impl EncoderBackend {
    pub(super) fn new(level: i32) -> Self {
        Self { state: CCtx::create(), level }
    }
}

impl super::encoder::Backend for EncoderBackend {
    fn encode(&mut self, source: &[u8], target: &mut Vec<u8>) -> Option<()> {
        let start = target.len();
        target.resize(start + zstd_safe::compress_bound(source.len()), 0);
        let len = self.state.compress(&mut target[start..], source, self.level).ok();
        target.truncate(start + len.unwrap_or(0));
        len.map(|_| ())
    }
}
