//! The form of dates and times. Digits are not judged: the thirteenth month has the right form.

/// Whether `text` has the form of an RFC 3339 timestamp: `2024-05-01T12:30:00.5+02:00`.
pub(crate) fn is_timestamp(text: &str) -> bool {
    let Some((date_time, rest)) = text.split_at_checked("DDDD-DD-DDTDD:DD:DD".len()) else {
        return false;
    };
    let starts =
        has_form(date_time, "DDDD-DD-DDTDD:DD:DD") || has_form(date_time, "DDDD-DD-DDtDD:DD:DD");
    let zone = match rest.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => rest,
    };
    let has_digits = !rest.starts_with('.') || zone.len() + 1 < rest.len();
    let is_zone = ["Z", "z", "+DD:DD", "-DD:DD"].into_iter().any(|form| has_form(zone, form));
    starts && has_digits && is_zone
}

/// Whether `text` starts with a date: `2024-05-01`.
pub(crate) fn starts_with_date(text: &str) -> bool {
    text.get(.."DDDD-DD-DD".len()).is_some_and(|date| has_form(date, "DDDD-DD-DD"))
}

/// Whether each `D` of `form` is a digit in `text`, and the rest is equal.
fn has_form(text: &str, form: &str) -> bool {
    text.len() == form.len()
        && text.bytes().zip(form.bytes()).all(|(found, form)| match form {
            b'D' => found.is_ascii_digit(),
            other => found == other,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps() {
        for good in
            ["2024-05-01T12:30:00Z", "2024-13-41t99:00:00.123z", "2024-05-01T12:30:00-02:00"]
        {
            assert!(is_timestamp(good), "{good}");
        }
        for bad in [
            "",
            "2024-05-01",
            "2024-05-01T12:30:00",
            "2024-05-01T12:30:00.Z",
            "2024-05-01 12:30:00Z",
            "2024-05-01T12:30:00+0200",
            "2024-05-01T12:30:00Z ",
        ] {
            assert!(!is_timestamp(bad), "{bad}");
        }
    }

    #[test]
    fn dates_may_go_on() {
        assert!(starts_with_date("2024-05-01 or so"));
        assert!(!starts_with_date("2024-5-1"));
        assert!(!starts_with_date("2024-05-0é"));
    }
}
