/// Reader of bytes from their beginning, in Bitcoin's form: numbers begin with their lowest byte.
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0 }
    }

    /// Number of bytes that were read.
    pub fn at(&self) -> usize {
        self.at
    }

    pub fn ended(&self) -> bool {
        self.at == self.bytes.len()
    }

    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..)?.get(..count)?;
        self.at += count;
        Some(taken)
    }

    pub fn array<const LENGTH: usize>(&mut self) -> Option<[u8; LENGTH]> {
        self.take(LENGTH)?.try_into().ok()
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Next number of the compact form, in as few bytes as it needs. One of 64 bits counts nothing that fits into a transaction.
    pub fn compact(&mut self) -> Option<usize> {
        let [first] = self.array()?;
        let (number, least) = match first {
            0xfd => (u32::from(u16::from_le_bytes(self.array()?)), 0xfd),
            0xfe => (self.u32()?, 0x1_0000),
            0xff => return None,
            short => (u32::from(short), 0),
        };
        (number >= least).then_some(number as usize)
    }

    /// Next bytes, with their number before them.
    pub fn vector(&mut self) -> Option<&'a [u8]> {
        let count = self.compact()?;
        self.take(count)
    }
}

/// Writes a number in the compact form.
pub fn compact(number: usize, out: &mut Vec<u8>) {
    match number {
        0..=0xfc => out.push(number as u8),
        0xfd..=0xffff => {
            out.push(0xfd);
            out.extend((number as u16).to_le_bytes());
        }
        _ => {
            out.push(0xfe);
            out.extend((number as u32).to_le_bytes());
        }
    }
}

/// Writes bytes after their number.
pub fn vector(bytes: &[u8], out: &mut Vec<u8>) {
    compact(bytes.len(), out);
    out.extend(bytes);
}
