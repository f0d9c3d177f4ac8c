use portico_json::Json;

/// A chain namespace this product knows (spec 1.3). The order is the order of choice where several could serve.
#[derive(Clone, Copy, Debug, Eq, Hash, Json, Ord, PartialEq, PartialOrd)]
pub enum Namespace {
    /// EVM chains.
    Eip155,
    /// Solana.
    Solana,
    /// Polkadot.
    Polkadot,
    /// Bitcoin.
    Bip122,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_1_3_the_namespaces_are_eip155_solana_polkadot_and_bip122() {
        let words: Vec<_> = Namespace::ALL.iter().map(Namespace::word).collect();
        assert_eq!(words, ["eip155", "solana", "polkadot", "bip122"]);
        assert_eq!(Namespace::from_word("cosmos"), None);
    }
}
