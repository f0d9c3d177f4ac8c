//! Reader of Bitcoin's serialized forms.

pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn array<const LENGTH: usize>(&mut self) -> Option<[u8; LENGTH]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// Bytes after their length. Lengths of more than three bytes exceed every signature, and each length has one spelling.
    pub(super) fn vector(&mut self) -> Option<&'a [u8]> {
        let [first] = self.array()?;
        let length = match first {
            0xfd => usize::from(u16::from_le_bytes(self.array()?)),
            0xfe | 0xff => return None,
            short => usize::from(short),
        };
        if first == 0xfd && length < 0xfd {
            return None;
        }
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    /// Elements of a witness (BIP-144). One of a key has at most two elements.
    pub(super) fn witness(&mut self) -> Option<Vec<Vec<u8>>> {
        let [count] = self.array()?;
        if !(1..=2).contains(&count) {
            return None;
        }
        (0..count).map(|_| self.vector().map(<[u8]>::to_vec)).collect()
    }

    pub(super) fn ended(&self) -> bool {
        self.0.is_empty()
    }
}
