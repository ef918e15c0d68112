#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| askback_fuzz::root(data));
