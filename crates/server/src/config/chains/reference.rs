//! References of chains: the part of a CAIP-2 id after the colon, whose form each namespace defines.

use portico_terms::{ChainId, Namespace};

/// Names that people write for a network of a namespace, with its reference.
const NAMED: [(Namespace, &[&str], &str); 11] = [
    (Namespace::Solana, &["mainnet", "mainnet-beta", "main"], "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"),
    (Namespace::Solana, &["devnet"], "EtWTRABZaYq6iMfeYKouRu166VU2xqa1"),
    (Namespace::Solana, &["testnet"], "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z"),
    (Namespace::Bip122, &["mainnet", "main", "bitcoin"], "000000000019d6689c085ae165831e93"),
    (Namespace::Bip122, &["testnet", "testnet3"], "000000000933ea01ad0ee984209779ba"),
    (Namespace::Bip122, &["testnet4"], "00000000da84f2bafbbc53dee25a72ae"),
    (Namespace::Bip122, &["signet"], "00000008819873e925422c1ff0f99f7c"),
    (Namespace::Bip122, &["regtest"], "0f9188f13cb7b2c71f2a335e3a4fc328"),
    (Namespace::Polkadot, &["mainnet", "main", "polkadot"], "91b171bb158e2d3848fa23a9f1c25182"),
    (Namespace::Polkadot, &["kusama"], "b0a8d493285c2df73290dfb7e61f870f"),
    (Namespace::Polkadot, &["testnet", "westend"], "e143f23803ac50e8f6f8e62695d1ce9e"),
];

/// Checks the reference: the number of an EVM chain (CAIP-3), else 32 characters of the hash of the first block, in base58 on Solana (CAIP-30)
/// and in hex on Bitcoin (CAIP-4) and Polkadot (CAIP-13).
pub(crate) fn checked(id: ChainId) -> Result<ChainId, String> {
    let (namespace, reference) = (id.namespace(), id.reference());
    let fits = match namespace {
        Namespace::Eip155 => reference.parse::<u64>().is_ok_and(|number| number.to_string() == reference),
        Namespace::Solana => reference.len() == 32 && reference.bytes().all(is_base58),
        Namespace::Bip122 | Namespace::Polkadot => reference.len() == 32 && reference.bytes().all(is_lower_hex),
    };
    if fits {
        return Ok(id);
    }
    if namespace == Namespace::Eip155 {
        return Err(format!("use a number after `eip155:`, such as eip155:1, not `{id}`"));
    }
    let word = namespace.word();
    let mut networks = NAMED.iter().filter(|(of, ..)| *of == namespace);
    let first = networks.clone().next().map_or("", |(_, _, first)| first);
    let name = reference.to_ascii_lowercase();
    if let Some((_, _, meant)) = networks.find(|(_, names, _)| names.contains(&name.as_str())) {
        return Err(format!("use the CAIP-2 id {word}:{meant}, not `{id}`"));
    }
    let part = if namespace == Namespace::Solana { "32 characters" } else { "32 hex digits, in lower case," };
    Err(format!("use the first {part} of the genesis hash after `{word}:`, such as {word}:{first}, not `{id}`"))
}

fn is_base58(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() && !matches!(byte, b'0' | b'O' | b'I' | b'l')
}

fn is_lower_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, String> {
        checked(text.parse().unwrap()).map(|id| id.to_string())
    }

    #[test]
    fn the_name_of_a_network_is_answered_with_its_id() {
        for (text, meant) in [
            ("solana:mainnet", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"),
            ("solana:Devnet", "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1"),
            ("solana:testnet", "solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z"),
            ("bip122:mainnet", "bip122:000000000019d6689c085ae165831e93"),
            ("bip122:testnet", "bip122:000000000933ea01ad0ee984209779ba"),
            ("bip122:signet", "bip122:00000008819873e925422c1ff0f99f7c"),
            ("polkadot:polkadot", "polkadot:91b171bb158e2d3848fa23a9f1c25182"),
            ("polkadot:kusama", "polkadot:b0a8d493285c2df73290dfb7e61f870f"),
        ] {
            assert_eq!(read(text), Err(format!("use the CAIP-2 id {meant}, not `{text}`")));
            assert_eq!(read(meant).as_deref(), Ok(meant));
        }
        for (namespace, _, reference) in NAMED {
            assert!(read(&format!("{}:{reference}", namespace.word())).is_ok(), "{reference}");
        }
    }

    #[test]
    fn a_reference_of_another_form_is_answered_with_the_form() {
        let solana = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
        for reference in ["localnet", &solana[1..], &solana.replace('5', "0"), &solana.replace('e', "-")] {
            let told = format!(
                "use the first 32 characters of the genesis hash after `solana:`, such as solana:{solana}, not `solana:{reference}`"
            );
            assert_eq!(read(&format!("solana:{reference}")), Err(told));
        }
        let bitcoin = "000000000019d6689c085ae165831e93";
        for reference in ["1", &bitcoin[1..], &bitcoin.to_uppercase(), &bitcoin.replace('d', "g")] {
            let told = format!(
                "use the first 32 hex digits, in lower case, of the genesis hash after `bip122:`, such as bip122:{bitcoin}, not `bip122:{reference}`"
            );
            assert_eq!(read(&format!("bip122:{reference}")), Err(told));
        }
        assert!(read("polkadot:1").unwrap_err().contains("such as polkadot:91b171bb158e2d3848fa23a9f1c25182, not"));
    }
}
