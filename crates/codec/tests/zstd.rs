//! All Zstandard implementations of a build give the same bytes on the same frames.
//!
//! `cargo test -p medh5-lite-codec --all-features` compares all three.

#![cfg(feature = "zstd-rust")]

use codec::Error;
use codec::zstd::{Decoder, Encoder, Implementation};
use proptest::prelude::*;
use rust_zstd::CompressOptions;

/// Bytes with structure at several scales, so that all kinds of blocks and sequences occur.
fn sample(len: usize, seed: u32) -> Vec<u8> {
    let mut state = seed | 1;
    (0..len)
        .map(|i| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            let noise = if i / 700 % 3 == 0 { state.to_le_bytes()[0] & 7 } else { 0 };
            (i / 37 % 11 * 20).to_le_bytes()[0] ^ noise
        })
        .collect()
}

fn each(mut check: impl FnMut(Implementation, Decoder)) {
    for implementation in Implementation::ALL {
        check(*implementation, Decoder::with(*implementation));
    }
}

#[test]
fn every_level_and_size() {
    for level in [-5, 1, 3, 5, 9, 22] {
        for len in [0, 1, 255, 256, 65_535, 65_792, 400_000] {
            let data = sample(len, 7);
            let frame = rust_zstd::compress(&data, level);
            each(|implementation, mut decoder| {
                let (mut exact, mut vec, mut grown) = (vec![0; len], vec![9; 3], vec![9; 3]);
                assert_eq!(decoder.decode(&frame, &mut exact), Ok(()), "{implementation:?}");
                assert_eq!(decoder.decode_to_vec(&frame, len, &mut vec), Ok(()));
                assert_eq!(decoder.decode_at_most(&frame, len, &mut grown), Ok(()));
                assert!(exact == data && vec == data && grown[3..] == data, "{implementation:?}");
            });
        }
    }
}

/// What one implementation encodes all decode, and those that encode give the same bytes.
#[test]
fn encoders_agree() {
    for level in [1, 5, 22] {
        let mut expected: Option<Vec<Vec<u8>>> = None;
        for implementation in Implementation::ALL {
            let mut encoder = Encoder::with(*implementation, level);
            let frames: Vec<Vec<u8>> = [0, 1, 400, 32_768, 300_000, 32_768]
                .iter()
                .filter_map(|len| {
                    let (data, mut frame) = (sample(*len, 5), vec![9]);
                    encoder.encode(&data, &mut frame).ok()?;
                    let frame = frame.split_off(1);
                    each(|_, mut decoder| {
                        let mut back = vec![0; data.len()];
                        assert_eq!(decoder.decode(&frame, &mut back), Ok(()));
                        assert!(back == data);
                    });
                    Some(frame)
                })
                .collect();
            if format!("{implementation:?}") == "Small" {
                assert!(frames.is_empty(), "it only decodes");
            } else {
                let expected = expected.get_or_insert_with(|| frames.clone());
                assert!(
                    frames == *expected && frames[3] == frames[5],
                    "{implementation:?}, level {level}"
                );
            }
        }
    }
}

#[test]
fn a_frame_without_content_size() {
    let data = sample(500_000, 3);
    let mut encoder = rust_zstd::Encoder::new(
        Vec::new(),
        CompressOptions { checksum: true, ..Default::default() },
    );
    std::io::Write::write_all(&mut encoder, &data).unwrap();
    let frame = encoder.finish().unwrap();
    each(|implementation, mut decoder| {
        let mut exact = vec![0; data.len()];
        assert_eq!(decoder.decode(&frame, &mut exact), Ok(()), "{implementation:?}");
        assert!(exact == data);
        let mut grown = Vec::new();
        assert_eq!(decoder.decode_at_most(&frame, 1 << 20, &mut grown), Ok(()));
        assert!(grown == data);
        assert!(decoder.decode(&frame, &mut exact[1..]).is_err(), "{implementation:?}");
        assert!(decoder.decode(&frame, &mut vec![0; data.len() + 1]).is_err());
        assert!(decoder.decode_at_most(&frame, data.len() - 1, &mut Vec::new()).is_err());
        // The decoder is as good as new after a failure.
        assert_eq!(decoder.decode(&frame, &mut exact), Ok(()), "{implementation:?}");
    });
}

#[test]
fn a_dictionary() {
    let dictionary = include_bytes!("../../../tests/fixtures/zstd/dictionary.bin");
    let frame = include_bytes!("../../../tests/fixtures/zstd/frame.bin");
    let content = include_bytes!("../../../tests/fixtures/zstd/content.txt");
    each(|implementation, mut decoder| {
        let mut found = vec![0; content.len()];
        assert!(decoder.decode(frame, &mut found).is_err(), "{implementation:?}");
        assert_eq!(decoder.set_dictionary(Some(dictionary)), Ok(()));
        for _ in 0..2 {
            assert_eq!(decoder.decode(frame, &mut found), Ok(()), "{implementation:?}");
            assert!(found == content);
        }
        let plain = rust_zstd::compress(content, 3);
        assert_eq!(decoder.decode(&plain, &mut found), Ok(()), "{implementation:?}");
        assert_eq!(decoder.set_dictionary(None), Ok(()));
        assert!(decoder.decode(frame, &mut found).is_err(), "{implementation:?}");
        assert_eq!(decoder.decode(&plain, &mut found), Ok(()), "{implementation:?}");
        assert!(found == content);
    });
}

#[test]
fn another_length_is_refused_before_decoding() {
    let frame = rust_zstd::compress(&[1; 1000], 3);
    each(|_, mut decoder| {
        let error = Error::Length { codec: "Zstandard", found: 1000, expected: 999 };
        assert_eq!(decoder.decode(&frame, &mut [0; 999]), Err(error));
        let error = Error::TooLong { codec: "Zstandard", max: 999 };
        assert_eq!(decoder.decode_at_most(&frame, 999, &mut Vec::new()), Err(error));
    });
}

proptest! {
    /// A damaged frame gives an error or the right number of bytes; where two implementations take it, they agree.
    #[test]
    fn damage_is_survived(
        seed: u32,
        len in 0_usize..3000,
        level in 1..20,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut frame = rust_zstd::compress(&sample(len, seed), level);
        for (place, value) in damage {
            let place = place.index(frame.len());
            frame[place] = value;
        }
        let mut taken: Option<(Implementation, Vec<u8>)> = None;
        each(|implementation, mut decoder| {
            let _ = decoder.decode_at_most(&frame, len, &mut Vec::new());
            let mut target = vec![0; len];
            let accepted = decoder.decode(&frame, &mut target).is_ok();
            // ruzstd takes some frames with broken sequences, and makes other bytes of them.
            if accepted && format!("{implementation:?}") != "Small" {
                let (other, expected) = taken.get_or_insert((implementation, target.clone()));
                assert!(target == *expected, "{implementation:?} and {other:?} differ");
            }
        });
    }
}
