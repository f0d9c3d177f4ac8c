//! Numbers for people.

/// Whole number with commas between groups of three digits: "1,000,000".
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_three_digits_are_a_group() {
        let groups = [0, 999, 1_000, 125_000, 1_234_567].map(grouped);
        assert_eq!(groups, ["0", "999", "1,000", "125,000", "1,234,567"]);
    }
}
