//! Zstandard by the small decoder `ruzstd`.

use ruzstd::decoding::{BlockDecodingStrategy, Dictionary, FrameDecoder};
use ruzstd::io::Read;

use super::{CODEC, Frame};
use crate::Error;

/// Blocks are drained after about this many bytes.
const STEP: usize = 256 << 10;

pub(super) struct Backend {
    state: FrameDecoder,
    /// Identifier of the dictionary in use.
    dictionary: Option<u32>,
}

impl Default for Backend {
    fn default() -> Self {
        Self { state: FrameDecoder::new(), dictionary: None }
    }
}

impl super::Backend for Backend {
    fn set_dictionary(&mut self, dictionary: Option<&[u8]>) -> Result<(), Error> {
        self.state = FrameDecoder::new();
        self.dictionary = None;
        if let Some(bytes) = dictionary {
            let damaged = Error::Damaged { codec: CODEC };
            let dictionary = Dictionary::decode_dict(bytes).map_err(|_| damaged)?;
            self.dictionary = Some(dictionary.id);
            self.state.add_dict(dictionary).map_err(|_| damaged)?;
        }
        Ok(())
    }

    fn decode(&mut self, frame: &Frame<'_>, target: &mut [u8]) -> Option<usize> {
        let mut source = frame.bytes;
        self.state.set_max_window_size(frame.bound.max(super::MAX_WINDOW));
        self.state.init(&mut source).ok()?;
        if let Some(id) = self.dictionary.filter(|_| frame.dictionary_id == 0) {
            self.state.force_dict(id).ok()?;
        }
        let mut written = 0;
        loop {
            let finished = self
                .state
                .decode_blocks(&mut source, BlockDecodingStrategy::UptoBytes(STEP))
                .ok()?;
            written += self.state.read(&mut target[written..]).ok()?;
            if finished {
                let checksum = self.state.get_checksum_from_data();
                let intact = checksum.is_none() || checksum == self.state.get_calculated_checksum();
                return (intact && self.state.can_collect() == 0).then_some(written);
            }
            if written == target.len() && self.state.can_collect() > 0 {
                return None;
            }
        }
    }
}
