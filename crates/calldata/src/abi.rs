//! Reader of arguments in the contract ABI (<https://docs.soliditylang.org/en/latest/abi-spec.html>), in canonical encoding only: padding
//! is zero, and dynamic parts follow each other in order, without gaps.

use crate::Address;
use portico_terms::Amount;

const WORD: usize = 32;

/// Method selector.
pub type Selector = [u8; 4];

/// Arguments of a call, if it begins with this selector.
pub fn arguments(data: &[u8], selector: Selector) -> Option<&[u8]> {
    data.strip_prefix(&selector)
}

/// Reads all arguments of a call with `heads` words in its head. `None` if bytes are left over.
pub fn read<'a, T>(data: &'a [u8], heads: usize, of: impl FnOnce(&mut Reader<'a>) -> Option<T>) -> Option<T> {
    let (value, rest) = read_marked(data, heads, of)?;
    rest.is_empty().then_some(value)
}

/// Reads all arguments of a call and returns the bytes behind them as well.
pub fn read_marked<'a, T>(
    data: &'a [u8],
    heads: usize,
    of: impl FnOnce(&mut Reader<'a>) -> Option<T>,
) -> Option<(T, &'a [u8])> {
    let end = heads.checked_mul(WORD)?;
    let mut reader = Reader { data, at: 0, tail: end };
    let value = of(&mut reader)?;
    let read_all = reader.at == end;
    read_all.then_some(())?;
    Some((value, data.get(reader.tail..)?))
}

/// Reader of a tuple, word by word.
pub struct Reader<'a> {
    /// The tuple and what follows it.
    data: &'a [u8],
    /// Position of the next word of the head.
    at: usize,
    /// Position at which the next dynamic part has to begin.
    tail: usize,
}

impl<'a> Reader<'a> {
    fn word(&mut self) -> Option<&'a [u8; WORD]> {
        let word = self.data.get(self.at..)?.first_chunk()?;
        self.at += WORD;
        Some(word)
    }

    /// Reads any word, such as `bytes32`, without a check of its content.
    pub fn skip(&mut self) -> Option<()> {
        self.word().map(|_| ())
    }

    pub fn number(&mut self) -> Option<Amount> {
        self.word().map(|word| Amount::from_be_bytes(*word))
    }

    /// Number that fits 64 bits.
    pub fn small(&mut self) -> Option<u64> {
        let (high, low) = self.word()?.split_at(WORD - 8);
        high.iter().all(|byte| *byte == 0).then_some(u64::from_be_bytes(low.try_into().ok()?))
    }

    pub fn flag(&mut self) -> Option<bool> {
        match self.small()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    pub fn address(&mut self) -> Option<Address> {
        let (high, low) = self.word()?.split_at(WORD - 20);
        high.iter().all(|byte| *byte == 0).then_some(low.try_into().ok()?)
    }

    /// Bytes at which the next dynamic part begins, by its offset in the head.
    fn dynamic(&mut self) -> Option<&'a [u8]> {
        let offset = self.small()?;
        (offset == self.tail as u64).then_some(self.data.get(self.tail..)?)
    }

    /// `bytes` or `string`.
    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let part = self.dynamic()?;
        let length = length_of(part)?;
        let padded = length.checked_next_multiple_of(WORD)?;
        let (bytes, padding) = part[WORD..].get(..padded)?.split_at(length);
        self.tail += WORD + padded;
        padding.iter().all(|byte| *byte == 0).then_some(bytes)
    }

    /// Tuple with dynamic parts.
    pub fn tuple<T>(&mut self, heads: usize, of: impl FnOnce(&mut Reader<'a>) -> Option<T>) -> Option<T> {
        let part = self.dynamic()?;
        let (value, rest) = read_marked(part, heads, of)?;
        self.tail += part.len() - rest.len();
        Some(value)
    }

    /// Array whose items have one word each in its head.
    pub fn array<T>(&mut self, mut item: impl FnMut(&mut Reader<'a>) -> Option<T>) -> Option<Vec<T>> {
        let part = self.dynamic()?;
        let length = length_of(part)?;
        // Each item has a word, so a length beyond the data is refused before anything is allocated.
        let items = part.get(WORD..).filter(|items| length <= items.len() / WORD)?;
        let (list, rest) = read_marked(items, length, |items| (0..length).map(|_| item(items)).collect())?;
        self.tail += part.len() - rest.len();
        Some(list)
    }
}

/// Length in the first word of a dynamic part.
fn length_of(part: &[u8]) -> Option<usize> {
    usize::try_from(Reader { data: part, at: 0, tail: 0 }.small()?).ok()
}
