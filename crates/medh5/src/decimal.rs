//! Numbers as text: the shortest decimal that reads back as the same double, in the form that Python and JSON share.

/// Smallest and largest decimal exponents that are written without one.
const POSITIONAL: core::ops::RangeInclusive<i32> = -4..=15;

/// Writes `value` as the shortest decimal that reads back equal: `1.0`, `0.0001`, `1e-05`, `1.5e+16`, `-0.0`, `nan`, `inf`.
pub fn shortest(value: f64) -> String {
    if value.is_nan() {
        return "nan".into();
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_infinite() {
        return format!("{sign}inf");
    }
    // Rust's exponent form holds the shortest digits, as `d.ddde-7`.
    let scientific = format!("{:e}", value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if POSITIONAL.contains(&exponent) {
        let positional = format!("{}", value.abs());
        let point = if positional.contains('.') { "" } else { ".0" };
        return format!("{sign}{positional}{point}");
    }
    let direction = if exponent < 0 { '-' } else { '+' };
    format!("{sign}{mantissa}e{direction}{:02}", exponent.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_form_where_python_does() {
        let texts = [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (1e-4, "0.0001"),
            (1e-5, "1e-05"),
            (1.5e-7, "1.5e-07"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1.25e20, "1.25e+20"),
            (5e-324, "5e-324"),
            (f64::NEG_INFINITY, "-inf"),
        ];
        for (value, text) in texts {
            assert_eq!(shortest(value), text);
        }
        assert_eq!(shortest(f64::NAN), "nan");
    }
}
