//! Recursive length prefix: byte strings and lists of them.

/// Encodes a byte string.
pub fn item(bytes: &[u8]) -> Vec<u8> {
    match bytes {
        [byte] if *byte < 0x80 => vec![*byte],
        _ => [&head(0x80, bytes.len()), bytes].concat(),
    }
}

/// Encodes a list of encoded items.
pub fn list(items: &[Vec<u8>]) -> Vec<u8> {
    let content = items.concat();
    [head(0xc0, content.len()), content].concat()
}

fn head(base: u8, length: usize) -> Vec<u8> {
    if length < 56 {
        return vec![base + length as u8];
    }
    let bytes = (length as u64).to_be_bytes();
    let bytes = super::number::significant(&bytes);
    [&[base + 55 + bytes.len() as u8], bytes].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Examples of the Ethereum wiki's page of RLP.
    #[test]
    fn the_published_examples_hold() {
        assert_eq!(item(b"dog"), b"\x83dog");
        assert_eq!(list(&[item(b"cat"), item(b"dog")]), b"\xc8\x83cat\x83dog");
        assert_eq!((item(b""), list(&[]), item(&[0]), item(&[15])), (vec![0x80], vec![0xc0], vec![0], vec![15]));
        assert_eq!(item(&[4, 0]), [0x82, 4, 0]);
        let text = b"Lorem ipsum dolor sit amet, consectetur adipisicing elit";
        assert_eq!(item(text), [b"\xb8\x38", &text[..]].concat());
        assert_eq!(item(&[7; 1024])[..3], [0xb9, 4, 0]);
        assert_eq!(list(&[item(text)])[..2], [0xf8, 58]);
    }
}
