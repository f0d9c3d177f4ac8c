/// Number of characters shown at the start and at the end (spec 2.12).
const ENDS: [usize; 2] = [4, 6];

/// Shortens an address to its first 4 and last 6 characters. A text no longer than both together stays whole.
pub fn shorten(address: &str) -> String {
    let [start, end] = ENDS;
    let letters = address.chars().count();
    if letters <= start + end {
        return address.into();
    }
    let mut out: String = address.chars().take(start).collect();
    out.push('…');
    out.extend(address.chars().skip(letters - end));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_2_12_an_address_shows_4_leading_and_6_trailing_characters() {
        assert_eq!(shorten("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"), "0xf3…b92266");
        assert_eq!(shorten("0x12345678"), "0x12345678");
        assert_eq!(shorten(""), "");
        assert_eq!(shorten("ééééééééééé"), "éééé…éééééé");
    }
}
