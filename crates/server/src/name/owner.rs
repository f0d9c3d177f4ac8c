//! Whose a name is, and for which chains that counts.
//!
//! A key makes the same account on every chain behind `eip155`. A contract does not: at its address on another chain may stand
//! somebody else's. So what a contract signed counts on its own chain alone: it gets no record there that is for another chain, it
//! answers to no address of another chain, and it changes no name of the account at its address elsewhere.

use super::coin::ETHER;

/// An account, as it was proven.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Owner {
    /// With its checksum.
    pub(super) address: String,
    /// The one chain on which the account is known, as its coin type; none where its key signed.
    pub(super) coin_type: Option<u32>,
}

impl Owner {
    pub(super) fn by_key(address: &str) -> Owner {
        Owner { address: address.into(), coin_type: None }
    }

    /// `coin_type` as [`super::coin::on_one_chain`] has it.
    pub(super) fn on_chain(coin_type: u32, address: &str) -> Owner {
        Owner { address: address.into(), coin_type: Some(coin_type) }
    }

    /// As it is kept.
    pub(super) fn text(&self) -> String {
        match self.coin_type {
            None => self.address.clone(),
            Some(coin_type) => format!("{coin_type}:{}", self.address),
        }
    }

    /// A pattern (SQL's `like`) of the other texts whose names this one may change: a key is its account on each chain, and no contract
    /// of anybody else can have its address.
    pub(super) fn pattern(&self) -> String {
        match self.coin_type {
            None => format!("%:{}", self.address),
            Some(_) => self.text(),
        }
    }

    /// Under which text its names are counted: on Ethereum a key and a contract are one account.
    pub(super) fn counted(&self) -> String {
        counted(&self.text())
    }
}

/// The same, of a text as it is kept.
pub(super) fn counted(text: &str) -> String {
    match text.split_once(':') {
        Some((coin_type, address)) if coin_type == ETHER.to_string() => address.into(),
        _ => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name::coin::EVM;

    const ADDRESS: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

    #[test]
    fn a_contract_stands_for_itself_on_one_chain_and_a_key_for_its_account_on_each() {
        let contract = Owner::on_chain(EVM | 10, ADDRESS);
        assert_eq!(contract.text(), format!("2147483658:{ADDRESS}"));
        assert_eq!(contract.pattern(), contract.text());
        assert_eq!(Owner::by_key(ADDRESS).text(), ADDRESS);
        assert_eq!(Owner::by_key(ADDRESS).pattern(), format!("%:{ADDRESS}"));
    }

    #[test]
    fn names_are_counted_by_account() {
        assert_eq!(Owner::on_chain(ETHER, ADDRESS).counted(), ADDRESS);
        assert_eq!(Owner::by_key(ADDRESS).counted(), ADDRESS);
        assert_ne!(Owner::on_chain(EVM | 10, ADDRESS).counted(), ADDRESS);
    }
}
