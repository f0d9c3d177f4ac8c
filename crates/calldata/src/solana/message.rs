use super::Key;
use super::reader::Reader;

/// Bit of the first byte that tells a message with a version from a legacy one.
const VERSIONED: u8 = 0x80;

/// Message of a transaction: what its signers sign.
pub struct Message<'a> {
    keys: Vec<Key>,
    required: usize,
    /// Numbers of the last signers, and of the last other accounts, that are not written.
    readonly: [usize; 2],
    /// Hash of a recent block, or the value of a nonce account.
    pub blockhash: Key,
    pub instructions: Vec<Instruction<'a>>,
    /// Whether accounts are named by tables on the chain.
    pub looks_up: bool,
}

/// Call of a program.
pub struct Instruction<'a> {
    pub program: Key,
    /// Places of the accounts among the keys, in the order of the call.
    accounts: &'a [u8],
    pub data: &'a [u8],
}

impl<'a> Message<'a> {
    /// Reads a whole message, of the legacy form or version 0. `None` where any index points beyond its table, or bytes are left over.
    pub fn read(bytes: &'a [u8]) -> Option<Message<'a>> {
        let mut reader = Reader::new(bytes);
        let first = reader.byte()?;
        let is_versioned = first & VERSIONED != 0;
        let required = if is_versioned { reader.byte().filter(|_| first == VERSIONED)? } else { first };
        let readonly = [usize::from(reader.byte()?), usize::from(reader.byte()?)];
        let count = reader.compact()?;
        let keys: Vec<Key> = (0..count).map(|_| reader.take(32)?.try_into().ok()).collect::<Option<_>>()?;
        let required = usize::from(required);
        // The first signer pays, so at least one is writable.
        if readonly[0] >= required || required + readonly[1] > count {
            return None;
        }
        let is_repeated = |at: usize| keys[..at].contains(&keys[at]);
        if (0..count).any(is_repeated) {
            return None;
        }
        let blockhash = reader.take(32)?.try_into().ok()?;
        let (instructions, highest) = instructions(&mut reader, &keys)?;
        let looked_up = if is_versioned { look_ups(&mut reader)? } else { 0 };
        let whole = reader.rest().is_empty() && highest < count + looked_up;
        whole.then_some(Message { keys, required, readonly, blockhash, instructions, looks_up: looked_up > 0 })
    }

    /// Keys that have to sign, in the order of their signatures; the first one pays the fee.
    pub fn signers(&self) -> &[Key] {
        &self.keys[..self.required]
    }

    /// All keys that the message names itself.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// Those of the accounts that may be written.
    pub fn written(&self) -> impl Iterator<Item = &Key> {
        let (signers, others) = self.keys.split_at(self.required);
        let [of_signers, of_others] = self.readonly;
        signers[..signers.len() - of_signers].iter().chain(&others[..others.len() - of_others])
    }

    /// Accounts of an instruction that the message names itself, in the order of the call.
    pub fn accounts(&self, instruction: &Instruction<'_>) -> impl Iterator<Item = Key> {
        instruction.accounts.iter().filter_map(|place| self.keys.get(usize::from(*place)).copied())
    }

    /// Account of an instruction; `None` if there is none, or a table names it.
    pub(super) fn account(&self, instruction: &Instruction<'_>, index: usize) -> Option<Key> {
        self.keys.get(usize::from(*instruction.accounts.get(index)?)).copied()
    }
}

/// Reads the instructions, and the highest index of an account.
fn instructions<'a>(reader: &mut Reader<'a>, keys: &[Key]) -> Option<(Vec<Instruction<'a>>, usize)> {
    let (mut list, mut highest) = (Vec::new(), 0);
    for _ in 0..reader.compact()? {
        // The program is neither the payer nor looked up.
        let program = *keys.get(usize::from(reader.byte()?)).filter(|program| **program != keys[0])?;
        let indexes = reader.bytes()?;
        highest = indexes.iter().fold(highest, |highest, index| highest.max(usize::from(*index)));
        list.push(Instruction { program, accounts: indexes, data: reader.bytes()? });
    }
    Some((list, highest))
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
