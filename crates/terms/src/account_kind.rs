//! Kinds of accounts.

use crate::Namespace;
use portico_json::Json;

/// Kind of an account (spec 3.5).
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum AccountKind {
    /// Externally owned account: a plain key.
    Eoa,
    /// Contract account.
    SmartAccount,
    /// Bitcoin payment address.
    Payment,
}

impl AccountKind {
    /// Default kind for a namespace if none was chosen (spec 3.6).
    pub fn preferred(namespace: Namespace) -> AccountKind {
        match namespace {
            Namespace::Eip155 => AccountKind::SmartAccount,
            Namespace::Solana | Namespace::Polkadot => AccountKind::Eoa,
            Namespace::Bip122 => AccountKind::Payment,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_3_5_the_account_types_are_eoa_smart_account_and_payment() {
        let words: Vec<_> = AccountKind::ALL.iter().map(AccountKind::word).collect();
        assert_eq!(words, ["eoa", "smartAccount", "payment"]);
    }

    #[test]
    fn spec_3_6_the_default_is_smart_account_on_eip155_eoa_on_solana_and_polkadot_payment_on_bip122() {
        let kinds: Vec<_> = Namespace::ALL.iter().map(|namespace| AccountKind::preferred(*namespace).word()).collect();
        assert_eq!(kinds, ["smartAccount", "eoa", "eoa", "payment"]);
    }
}
