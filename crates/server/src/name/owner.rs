//! Owner of a name, and the chains for which the ownership counts.
//!
//! A key controls the same address on every `eip155` chain. A contract does not: its address on another chain may belong to
//! somebody else. So a signature of a contract counts on its own chain only: it creates no record for another chain, its names are
//! not found under its address on other chains, and it cannot change names of the account with its address elsewhere.

use super::coin::ETHER;

/// Proven account.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Owner {
    /// With EIP-55 checksum.
    pub(super) address: String,
    /// Coin type of the only chain on which the account is proven; `None` if its key signed.
    pub(super) coin_type: Option<u32>,
}

impl Owner {
    pub(super) fn by_key(address: &str) -> Owner {
        Owner { address: address.into(), coin_type: None }
    }

    /// `coin_type` as returned by [`super::coin::on_one_chain`].
    pub(super) fn on_chain(coin_type: u32, address: &str) -> Owner {
        Owner { address: address.into(), coin_type: Some(coin_type) }
    }

    /// Stored form.
    pub(super) fn text(&self) -> String {
        match self.coin_type {
            None => self.address.clone(),
            Some(coin_type) => format!("{coin_type}:{}", self.address),
        }
    }

    /// SQL `like` pattern of further stored owners whose names this account may change: a key controls its address on each chain, and no
    /// contract of anybody else can have that address.
    pub(super) fn pattern(&self) -> String {
        match self.coin_type {
            None => format!("%:{}", self.address),
            Some(_) => self.text(),
        }
    }

    /// Key under which its names are counted: on Ethereum a key and a contract count as one account.
    pub(super) fn counted(&self) -> String {
        counted(&self.text())
    }
}

/// Like [`Owner::counted`], for the stored form.
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
