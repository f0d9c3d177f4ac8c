//! Addresses of Bitcoin: base58 with a checksum, Bech32 (BIP-173) and Bech32m (BIP-350).

use super::{hash160, hash256};
use bech32::segwit;
use portico_encoding::base58;

/// Form of a network's addresses. The test networks share theirs.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Form {
    Main,
    Test,
    Regtest,
}

/// Why a text is no address that can be used.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum AddressFault {
    /// No address, or one with a wrong checksum or in another spelling than the usual one.
    Spelling,
    /// A witness version that has no meaning yet: anybody could spend what is paid to it.
    Version,
}

/// CAIP-2 references of the networks: the first 32 digits of the genesis block's hash (CAIP-4 of bip122).
const NETWORKS: [(&str, Form); 5] = [
    ("000000000019d6689c085ae165831e93", Form::Main),
    // Testnet 3, testnet 4 and signet.
    ("000000000933ea01ad0ee984209779ba", Form::Test),
    ("00000000da84f2bafbbc53dee25a72ae", Form::Test),
    ("00000008819873e925422c1ff0f99f7c", Form::Test),
    ("0f9188f13cb7b2c71f2a335e3a4fc328", Form::Regtest),
];

/// Form of the addresses of a network, by the reference of its CAIP-2 id.
pub fn form_of(reference: &str) -> Option<Form> {
    NETWORKS.iter().find(|(known, _)| *known == reference).map(|(_, form)| *form)
}

/// Kind of an address, with the hash of its key or script; for P2TR the key itself.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Kind {
    P2pkh([u8; 20]),
    /// Hash of any script; that of a key is known for P2SH-P2WPKH alone.
    P2sh([u8; 20]),
    P2wpkh([u8; 20]),
    P2wsh([u8; 32]),
    P2tr([u8; 32]),
}

/// Address of Bitcoin.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Address {
    form: Form,
    pub kind: Kind,
}

impl Address {
    /// Parses an address with its checksum. Bech32 counts in lower case alone, so that an account has one name.
    pub fn parse(text: &str) -> Result<Address, AddressFault> {
        Address::witness(text).unwrap_or_else(|| Address::base58(text).ok_or(AddressFault::Spelling))
    }

    /// Address of segregated witness; `None` if the text is none.
    fn witness(text: &str) -> Option<Result<Address, AddressFault>> {
        if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return None;
        }
        let (prefix, version, hash) = segwit::decode(text).ok()?;
        let form = match prefix.as_str() {
            "bc" => Form::Main,
            "tb" => Form::Test,
            "bcrt" => Form::Regtest,
            _ => return None,
        };
        let kind = match (version.to_u8(), hash.len()) {
            (0, 20) => Kind::P2wpkh(hash.try_into().ok()?),
            (0, 32) => Kind::P2wsh(hash.try_into().ok()?),
            (1, 32) => Kind::P2tr(hash.try_into().ok()?),
            _ => return Some(Err(AddressFault::Version)),
        };
        Some(Ok(Address { form, kind }))
    }

    fn base58(text: &str) -> Option<Address> {
        let bytes = base58::decode_within(text, 35)?;
        let (body, sum) = bytes.split_last_chunk::<4>()?;
        if hash256(body)[..4] != *sum {
            return None;
        }
        let (version, hash) = body.split_first()?;
        let hash: [u8; 20] = hash.try_into().ok()?;
        let (form, kind) = match version {
            0 => (Form::Main, Kind::P2pkh(hash)),
            5 => (Form::Main, Kind::P2sh(hash)),
            111 => (Form::Test, Kind::P2pkh(hash)),
            196 => (Form::Test, Kind::P2sh(hash)),
            _ => return None,
        };
        Some(Address { form, kind })
    }

    /// Whether the address can be used on networks of this form. Regtest shares the base58 addresses of the test networks.
    pub fn is_on(&self, form: Form) -> bool {
        let shared = matches!(self.kind, Kind::P2pkh(_) | Kind::P2sh(_));
        self.form == form || (shared && self.form == Form::Test && form == Form::Regtest)
    }
}

impl Kind {
    /// Script of the outputs of this address.
    pub fn script(&self) -> Vec<u8> {
        match self {
            Kind::P2pkh(hash) => [&[0x76, 0xa9, 0x14][..], hash, &[0x88, 0xac]].concat(),
            Kind::P2sh(hash) => [&[0xa9, 0x14][..], hash, &[0x87]].concat(),
            Kind::P2wpkh(hash) => program(hash),
            Kind::P2wsh(hash) => [&[0x00, 0x20][..], hash].concat(),
            Kind::P2tr(key) => [&[0x51, 0x20][..], key].concat(),
        }
    }

    /// Whether a public key belongs to the address, by its hash. Segregated witness takes keys in the short form alone (BIP-143). The key of a
    /// Taproot address is another one than that of its account.
    pub fn is_of(&self, key: &[u8]) -> bool {
        let short = matches!(key, [2 | 3, ..] if key.len() == 33);
        let long = matches!(key, [4, ..] if key.len() == 65);
        match self {
            Kind::P2pkh(hash) => (short || long) && hash160(key) == *hash,
            Kind::P2wpkh(hash) => short && hash160(key) == *hash,
            Kind::P2sh(hash) => short && hash160(&program(&hash160(key))) == *hash,
            Kind::P2wsh(_) | Kind::P2tr(_) => false,
        }
    }
}

/// Script of P2WPKH for the hash of a key.
pub fn program(hash: &[u8; 20]) -> Vec<u8> {
    [&[0x00, 0x14][..], hash].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_checksum_a_network_and_a_script() {
        for (text, form, script) in [
            // The examples of BIP-173 and BIP-350, and the address of the genesis block.
            ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", Form::Main, "0014751e76e8199196d454941c45d1b3a323f1433bd6"),
            ("tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", Form::Test, "0014751e76e8199196d454941c45d1b3a323f1433bd6"),
            (
                "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
                Form::Main,
                "512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
            ),
            (
                "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3",
                Form::Main,
                "00201863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262",
            ),
            ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", Form::Main, "76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ac"),
            ("3P14159f73E4gFr7JterCCQh9QjiTjiZrG", Form::Main, "a914e9c3dd0c07aac76179ebc76a6c78d4d67c6c160a87"),
        ] {
            let address = Address::parse(text).unwrap();
            assert_eq!((address.form, portico_encoding::hex::encode(&address.kind.script())), (form, script.into()));
        }
        for text in [
            "",
            "bc1",
            "hello",
            // Other letters than the checksum says.
            "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5",
            "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb",
            // Checksums of the other witness version (BIP-350).
            "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd",
            "bc1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47",
            // Upper case names the same account in another way.
            "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
            // Litecoin and a Solana account.
            "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9",
            "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE",
        ] {
            assert_eq!(Address::parse(text), Err(AddressFault::Spelling), "{text}");
        }
        // Witness versions without a meaning (BIP-350).
        for text in ["bc1sw50qgdz25j", "bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y"] {
            assert_eq!(Address::parse(text), Err(AddressFault::Version), "{text}");
        }
    }

    #[test]
    fn networks_do_not_take_the_addresses_of_each_other() {
        let [main, test, regtest] = [
            "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
            "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx",
            "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
        ]
        .map(|text| Address::parse(text).unwrap());
        let plain = Address::parse("mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn").unwrap();
        let taken = |address: &Address| [Form::Main, Form::Test, Form::Regtest].map(|form| address.is_on(form));
        assert_eq!(taken(&main), [true, false, false]);
        assert_eq!(taken(&test), [false, true, false]);
        assert_eq!(taken(&regtest), [false, false, true]);
        assert_eq!(taken(&plain), [false, true, true]);
        assert_eq!(form_of("000000000019d6689c085ae165831e94"), None);
    }
}
