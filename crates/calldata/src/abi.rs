//! Reader of arguments in the contract ABI (<https://docs.soliditylang.org/en/latest/abi-spec.html>), in canonical encoding only: padding
//! is zero, and dynamic parts follow each other in order, without gaps.
//!
//! Readers are plain values rather than closures, because each closure would be compiled into the browser's module anew.

use crate::Address;
use portico_terms::Amount;

const WORD: usize = 32;

/// Method selector.
pub type Selector = [u8; 4];

/// Reader of the arguments of a call that begins with this selector; its head has `heads` words.
pub fn arguments(data: &[u8], selector: Selector, heads: usize) -> Option<Reader<'_>> {
    data.strip_prefix(&selector).map(|data| Reader::new(data, heads))
}

/// Reader of a tuple, word by word.
pub struct Reader<'a> {
    /// The tuple and what follows it.
    data: &'a [u8],
    /// Position of the next word of the head.
    at: usize,
    /// Position at which the head ends.
    end: usize,
    /// Position at which the next dynamic part has to begin.
    tail: usize,
}

impl<'a> Reader<'a> {
    pub fn new(data: &'a [u8], heads: usize) -> Reader<'a> {
        let end = heads.saturating_mul(WORD);
        Reader { data, at: 0, end, tail: end }
    }

    /// Ends the reading of a call: its head was read whole. Returns the bytes behind the arguments.
    pub fn rest(self) -> Option<&'a [u8]> {
        if self.at == self.end { self.data.get(self.tail..) } else { None }
    }

    /// Ends the reading of a call whose arguments are all of its bytes.
    pub fn done(self) -> Option<()> {
        self.rest().filter(|rest| rest.is_empty()).map(|_| ())
    }

    #[inline(never)]
    fn word(&mut self) -> Option<&'a [u8; WORD]> {
        let word = self.data.get(self.at..)?.first_chunk()?;
        self.at += WORD;
        if self.at > self.end { None } else { Some(word) }
    }

    /// Reads any word, such as `bytes32`, without a check of its content.
    pub fn any_word(&mut self) -> Option<()> {
        self.word().map(|_| ())
    }

    #[inline(never)]
    pub fn number(&mut self) -> Option<Amount> {
        self.word().map(|word| Amount::from_be_bytes(*word))
    }

    /// Number that fits 64 bits.
    #[inline(never)]
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

    #[inline(never)]
    pub fn address(&mut self) -> Option<Address> {
        let (high, low) = self.word()?.split_at(WORD - 20);
        high.iter().all(|byte| *byte == 0).then_some(low.try_into().ok()?)
    }

    /// Bytes at which the next dynamic part begins, by its offset in the head.
    #[inline(never)]
    fn dynamic(&mut self) -> Option<&'a [u8]> {
        let offset = self.small()?;
        if offset == self.tail as u64 { self.data.get(self.tail..) } else { None }
    }

    /// `bytes` or `string`.
    #[inline(never)]
    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let part = self.dynamic()?;
        let length = length_of(part)?;
        let padded = length.checked_next_multiple_of(WORD)?;
        let (bytes, padding) = part[WORD..].get(..padded)?.split_at(length);
        self.tail += WORD + padded;
        padding.iter().all(|byte| *byte == 0).then_some(bytes)
    }

    /// Reader of a tuple with dynamic parts; [`Reader::leave`] ends it.
    #[inline(never)]
    pub fn tuple(&mut self, heads: usize) -> Option<Reader<'a>> {
        self.dynamic().map(|part| Reader::new(part, heads))
    }

    /// Length of an array whose items have one word each in its head, and the reader of its items; [`Reader::leave`] ends it.
    #[inline(never)]
    pub fn array(&mut self) -> Option<(usize, Reader<'a>)> {
        let part = self.dynamic()?;
        let length = length_of(part)?;
        self.tail += WORD;
        let items = &part[WORD..];
        // Each item has a word, so a length beyond the data is refused before anything is allocated.
        if length <= items.len() / WORD { Some((length, Reader::new(items, length))) } else { None }
    }

    /// Ends the reading of a tuple or an array, which has to be whole.
    #[inline(never)]
    pub fn leave(&mut self, part: Reader<'a>) -> Option<()> {
        self.tail += part.tail;
        part.rest().map(|_| ())
    }

    pub fn addresses(&mut self) -> Option<Vec<Address>> {
        let (length, mut items) = self.array()?;
        let mut list = Vec::with_capacity(length);
        for _ in 0..length {
            list.push(items.address()?);
        }
        self.leave(items).map(|()| list)
    }

    /// `bytes[]`
    #[inline(never)]
    pub fn many_bytes(&mut self) -> Option<Vec<&'a [u8]>> {
        let (length, mut items) = self.array()?;
        let mut list = Vec::with_capacity(length);
        for _ in 0..length {
            list.push(items.bytes()?);
        }
        self.leave(items).map(|()| list)
    }
}

/// Length in the first word of a dynamic part.
fn length_of(part: &[u8]) -> Option<usize> {
    usize::try_from(Reader::new(part, 1).small()?).ok()
}
