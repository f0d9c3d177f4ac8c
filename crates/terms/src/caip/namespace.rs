use portico_json::Json;

/// Chain namespace (spec 1.3). The order of the variants is the order of preference if several are possible.
#[derive(Clone, Copy, Debug, Eq, Hash, Json, Ord, PartialEq, PartialOrd)]
pub enum Namespace {
    /// EVM chains.
    Eip155,
    Solana,
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
