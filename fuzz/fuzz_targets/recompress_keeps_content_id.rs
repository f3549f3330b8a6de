#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| oracles::oracles::recompress_keeps_content_id(data));
