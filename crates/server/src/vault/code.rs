//! Codes of six digits, which mails carry.

use zeroize::Zeroizing;

/// Number of digits.
const DIGITS: usize = 6;
/// Milliseconds in which a code is good.
pub(super) const GOOD: i64 = 10 * 60 * 1000;
/// Tries of one code.
pub(super) const TRIES: i64 = 5;

/// New code, each as likely as any other.
pub(super) fn new() -> Result<Zeroizing<String>, getrandom::Error> {
    Ok(Zeroizing::new(format!("{:0DIGITS$}", below(1_000_000)?)))
}

/// Two digits that modal and approval page both show.
pub(super) fn number() -> Result<String, getrandom::Error> {
    Ok(format!("{:02}", below(100)?))
}

/// Six digits, perhaps with spaces between them, as people type and paste codes; `None` for anything else.
pub(super) fn read(text: &str) -> Option<Zeroizing<String>> {
    let digits: Zeroizing<String> =
        Zeroizing::new(text.chars().filter(|letter| *letter != ' ').take(DIGITS + 1).collect());
    (digits.len() == DIGITS && digits.bytes().all(|digit| digit.is_ascii_digit())).then_some(digits)
}

/// Random number from 0 to below `most`; numbers that would make some likelier are drawn again.
fn below(most: u32) -> Result<u32, getrandom::Error> {
    let fair = u32::MAX - u32::MAX % most;
    loop {
        let drawn = getrandom::u32()?;
        if drawn < fair {
            return Ok(drawn % most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_people_type_it() {
        assert_eq!(read("123456").unwrap().as_str(), "123456");
        assert_eq!(read(" 123 456 ").unwrap().as_str(), "123456");
        for wrong in ["", "12345", "1234567", "12345a", "１２３４５６", "12345\n", "-12345"] {
            assert!(read(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn codes_have_all_their_digits() {
        for _ in 0..200 {
            let (code, number) = (new().unwrap(), number().unwrap());
            assert!(read(&code).is_some() && number.len() == 2, "{} {number}", code.as_str());
        }
    }
}
