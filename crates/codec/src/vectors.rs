//! Kernels compiled twice, for every processor and for the vectors of this one.

/// Runs `kernel` with 256-bit vectors where the processor has them.
///
/// `kernel` is plain code, which the compiler vectorises; all that it calls must be inlined into it. Only x86 needs
/// this: there the vectors that every processor has are half as wide, and lack bytewise moves.
#[inline]
pub(crate) fn vectorized<R>(kernel: impl FnOnce() -> R) -> R {
    #[cfg(all(feature = "std", any(target_arch = "x86", target_arch = "x86_64")))]
    if let fearless_simd::Level::Avx2(level) = fearless_simd::Level::new() {
        return fearless_simd::Simd::vectorize(level, kernel);
    }
    kernel()
}
