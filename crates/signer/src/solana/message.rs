use super::reader::Reader;

/// Bit of the first byte that tells a message with a version from a legacy one.
const VERSIONED: u8 = 0x80;

/// Message of a transaction: what its signers sign.
pub struct Message {
    keys: Vec<[u8; 32]>,
    required: usize,
}

impl Message {
    /// Reads a whole message, of the legacy form or version 0. `None` where any index points beyond its table, or bytes are left over.
    pub fn read(bytes: &[u8]) -> Option<Message> {
        let mut reader = Reader::new(bytes);
        let first = reader.byte()?;
        let is_versioned = first & VERSIONED != 0;
        let required = if is_versioned { reader.byte().filter(|_| first == VERSIONED)? } else { first };
        let (readonly_signed, readonly) = (reader.byte()?, reader.byte()?);
        let count = reader.compact()?;
        let keys: Vec<[u8; 32]> = (0..count).map(|_| reader.take(32)?.try_into().ok()).collect::<Option<_>>()?;
        let required = usize::from(required);
        // The first signer pays, so at least one is writable.
        if usize::from(readonly_signed) >= required || required + usize::from(readonly) > count {
            return None;
        }
        let is_repeated = |at: usize| keys[..at].contains(&keys[at]);
        if (0..count).any(is_repeated) {
            return None;
        }
        reader.take(32)?;
        let highest = instructions(&mut reader, count)?;
        let looked_up = if is_versioned { look_ups(&mut reader)? } else { 0 };
        (reader.rest().is_empty() && highest < count + looked_up).then_some(Message { keys, required })
    }

    /// Keys that have to sign, in the order of their signatures.
    pub fn signers(&self) -> &[[u8; 32]] {
        &self.keys[..self.required]
    }
}

/// Reads the instructions. Returns the highest index of an account.
fn instructions(reader: &mut Reader<'_>, keys: usize) -> Option<usize> {
    let mut highest = 0;
    for _ in 0..reader.compact()? {
        // The program is neither the payer nor looked up.
        let program = usize::from(reader.byte()?);
        if program == 0 || program >= keys {
            return None;
        }
        let accounts = reader.bytes()?;
        highest = accounts.iter().fold(highest, |highest, index| highest.max(usize::from(*index)));
        reader.bytes()?;
    }
    Some(highest)
}

/// Reads the look-ups of version 0. Returns the number of accounts that they find.
fn look_ups(reader: &mut Reader<'_>) -> Option<usize> {
    let mut found = 0;
    for _ in 0..reader.compact()? {
        reader.take(32)?;
        found += reader.bytes()?.len() + reader.bytes()?.len();
    }
    Some(found)
}
