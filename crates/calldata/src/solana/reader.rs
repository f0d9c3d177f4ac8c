/// Reader of bytes from their beginning. A failed read leaves it useless, so callers stop there.
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

    /// Bytes that were not read.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// Next bytes.
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let taken = self.rest().get(..count)?;
        self.at += count;
        Some(taken)
    }

    /// Next byte.
    pub fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    /// Next number of 16 bits in the compact form: seven bits a byte, the lowest first, in as few bytes as it needs.
    pub fn compact(&mut self) -> Option<usize> {
        let mut number = 0;
        for index in 0..3 {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7f) << (7 * index);
            if byte & 0x80 == 0 {
                let is_short = index == 0 || byte != 0;
                return (is_short && number <= 0xffff).then_some(number);
            }
        }
        None
    }

    /// Next list of bytes, with their number before them.
    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let count = self.compact()?;
        self.take(count)
    }
}
