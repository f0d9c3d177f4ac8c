//! Assertions that wallets add to a transaction before they sign it: each reads one account, or two, and fails the whole transaction if they are
//! not in the state that the wallet foresaw.

use super::instruction::SYSTEM;
use super::{Instruction, Key, Message, Step, fee, key};
use portico_encoding::base58;

/// Program of the assertions (<https://github.com/Jac0xb/lighthouse>).
const LIGHTHOUSE: &str = "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95";

/// Kinds of its instructions that only read accounts. 0 and 1 take and return the rent of a memory account, 16 and later call other programs.
const READING: std::ops::RangeInclusive<u8> = 2..=15;

/// Most accounts that one of them reads.
const MOST_READ: usize = 2;

/// Most assertions of a transaction. Phantom adds up to eight.
pub const MOST_ASSERTIONS: usize = 8;

impl<'a> Message<'a> {
    /// Effects of its instructions in their order, without assertions.
    pub fn ordered(&self) -> impl Iterator<Item = Step<'a>> {
        self.calls().map(|(_, step)| step)
    }

    /// Whether it does what another message does and nothing else, although assertions may fail it, and another price or limit of compute units
    /// may make it cheaper.
    pub fn keeps_to(&self, planned: &Message<'_>) -> bool {
        // Accounts that a table names are not known here.
        let is_known = !self.looks_up && self.signers() == planned.signers();
        let is_fresh = self.blockhash == planned.blockhash;
        let is_written = |key: &Key| planned.written().any(|known| known == key);
        let assertions = self.instructions.len() - self.calls().count();
        is_known
            && is_fresh
            && self.written().all(is_written)
            && assertions <= MOST_ASSERTIONS
            && fee(self) <= fee(planned)
            && self.orders().eq(planned.orders())
    }

    /// Instructions that are not assertions, with their effects.
    fn calls(&self) -> impl Iterator<Item = (&Instruction<'a>, Step<'a>)> {
        self.instructions.iter().zip(self.steps()).filter(|(call, _)| !self.is_assertion(call))
    }

    /// Program, accounts and data of each instruction that has an effect on accounts, or is not explained.
    fn orders(&self) -> impl Iterator<Item = (Key, Vec<Key>, &'a [u8])> {
        let is_budget = |step: &Step<'_>| matches!(step, Step::UnitLimit(_) | Step::UnitPrice(_));
        let calls = self.calls().filter(move |(_, step)| !is_budget(step));
        calls.map(|(call, _)| (call.program, self.accounts(call).collect(), call.data))
    }

    /// The payer's coins cannot leave without the System program, which no assertion reads.
    fn is_assertion(&self, call: &Instruction<'_>) -> bool {
        base58::encode(&call.program) == LIGHTHOUSE
            && call.data.first().is_some_and(|kind| READING.contains(kind))
            && self.accounts(call).count() <= MOST_READ
            && self.accounts(call).all(|account| key(SYSTEM) != Some(account))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Account, Call, TokenProgram, associated, create, message, transfer, unit_limit, unit_price};
    use super::*;

    const PAYER: Key = [1; 32];
    const OTHER: Key = [2; 32];
    const BLOCK: Key = [3; 32];

    fn lighthouse(data: &[u8], accounts: &[Account]) -> Call {
        Call { program: key(LIGHTHOUSE).unwrap(), accounts: accounts.to_vec(), data: data.to_vec() }
    }

    fn planned() -> Vec<Call> {
        let account = associated(&OTHER, TokenProgram::Token, &[9; 32]).unwrap();
        let made = create(PAYER, account, OTHER, TokenProgram::Token, [9; 32]);
        vec![unit_limit(50_000), unit_price(20_000), made, transfer(PAYER, OTHER, 5)]
    }

    fn bytes(change: impl FnOnce(&mut Vec<Call>)) -> Vec<u8> {
        let mut calls = planned();
        change(&mut calls);
        message(&PAYER, &BLOCK, &calls)
    }

    fn keeps(bytes: &[u8]) -> bool {
        let plan = message(&PAYER, &BLOCK, &planned());
        Message::read(bytes).unwrap().keeps_to(&Message::read(&plan).unwrap())
    }

    #[test]
    fn assertions_may_stand_anywhere_and_read_accounts_that_the_plan_does_not_name() {
        // Phantom added these two instructions to transactions of the main network.
        let token = [[10, 4, 4, 3].as_slice(), &[0; 12], &[5, 1], &[7; 32], &[0, 0, 0]].concat();
        let coin = [6, 4, 2, 3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        assert!(keeps(&bytes(|calls| {
            calls.insert(0, lighthouse(&coin, &[Account::writable(OTHER)]));
            calls.insert(3, lighthouse(&token, &[Account::readonly([40; 32])]));
            calls.push(lighthouse(&coin, &[Account::writable(PAYER)]));
            calls.push(lighthouse(&[4, 4], &[Account::readonly([41; 32]), Account::readonly([42; 32])]));
        })));
        assert!(keeps(&bytes(|calls| calls.extend((2..10).map(|kind| lighthouse(&[kind], &[]))))));
        assert!(keeps(&bytes(|calls| calls.extend((8..16).map(|kind| lighthouse(&[kind], &[]))))));
        assert!(!keeps(&bytes(|calls| calls.extend((2..11).map(|kind| lighthouse(&[kind], &[]))))), "nine");
    }

    #[test]
    fn a_call_of_lighthouse_that_does_more_than_read_keeps_to_no_plan() {
        let one = |data: &[u8], accounts: &[Account]| keeps(&bytes(|calls| calls.push(lighthouse(data, accounts))));
        for kind in [0, 1, 16, 17, 18, 255] {
            assert!(!one(&[kind, 4, 0], &[]), "{kind}");
        }
        assert!(!one(&[], &[]));
        assert!(!one(&[6], &[4, 5, 6].map(|byte| Account::readonly([byte; 32]))), "three accounts");
        assert!(!one(&[6], &[Account::writable(PAYER), Account::readonly(key(SYSTEM).unwrap())]));
        assert!(!one(&[6], &[Account::writable([4; 32])]), "an account that the plan does not write");
    }

    #[test]
    fn other_calls_another_order_payer_or_block_keep_to_no_plan() {
        let changes: [fn(&mut Vec<Call>); 8] = [
            |calls| calls.push(transfer(PAYER, OTHER, 5)),
            |calls| calls.swap(2, 3),
            |calls| drop(calls.pop()),
            |calls| calls[3] = transfer(PAYER, OTHER, 6),
            |calls| calls[3] = transfer(PAYER, PAYER, 5),
            |calls| calls.push(Call { program: [8; 32], accounts: Vec::new(), data: vec![6] }),
            |calls| calls[2].accounts.push(Account::readonly(OTHER)),
            |calls| calls.push(Call { program: calls[0].program, accounts: Vec::new(), data: vec![1, 0, 0, 1, 0] }),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            assert!(!keeps(&bytes(change)), "{number}");
        }
        let mut more_signers = bytes(|_| {});
        assert!(keeps(&more_signers));
        more_signers[0] = 2;
        assert!(!keeps(&more_signers));
        assert!(!keeps(&message(&PAYER, &[4; 32], &planned())));
        assert!(!keeps(&message(&OTHER, &BLOCK, &planned())));
        // Version 0, with a table of one account that it writes.
        let table = [&[0x80], bytes(|_| {}).as_slice(), &[1], &[5; 32], &[1, 0, 0]].concat();
        assert!(Message::read(&table).unwrap().looks_up && !keeps(&table));
    }

    #[test]
    fn the_limit_and_the_price_of_compute_units_may_only_make_it_cheaper() {
        for (limit, price, kept) in [(50_000, 19_999, true), (100_000, 10_000, true), (50_001, 20_000, false)] {
            let changed = bytes(|calls| (calls[0], calls[1]) = (unit_limit(limit), unit_price(price)));
            assert_eq!(keeps(&changed), kept, "{limit} {price}");
        }
        assert!(!keeps(&bytes(|calls| drop(calls.remove(0)))), "200,000 units of each call count without a limit");
    }
}
