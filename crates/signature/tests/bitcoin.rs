//! Bitcoin: the vectors of BIP-322, and signatures that other libraries made (`vectors/`, each with its maker).

use portico_encoding::base64::{self, Spelling};
use portico_encoding::{base58, hex};
use portico_signature::{Refusal, check};
use portico_terms::ChainId;
use serde_json::Value;

const MAIN: &str = "000000000019d6689c085ae165831e93";
const SIGNET: &str = "00000008819873e925422c1ff0f99f7c";
const TESTNET4: &str = "00000000da84f2bafbbc53dee25a72ae";
const REGTEST: &str = "0f9188f13cb7b2c71f2a335e3a4fc328";

/// Recorded signature.
struct Signed {
    kind: String,
    chain: String,
    address: String,
    message: String,
    signature: String,
}

impl Signed {
    fn read(vector: &Value) -> Signed {
        let text = |name: &str| vector[name].as_str().unwrap_or_default().to_owned();
        let chain = Some(text("chain")).filter(|chain| !chain.is_empty()).unwrap_or(MAIN.into());
        Signed {
            kind: text("kind"),
            chain,
            address: text("address"),
            message: text("message"),
            signature: text("signature"),
        }
    }

    fn check(&self) -> Result<(), Refusal> {
        on(&self.chain, &self.address, &self.message, &self.signature)
    }

    fn bytes(&self) -> Vec<u8> {
        let text = self.signature.trim_start_matches("smp").trim_start_matches("ful");
        base64::decode(text, Spelling::Standard).unwrap()
    }
}

fn on(chain: &str, address: &str, message: &str, signature: &str) -> Result<(), Refusal> {
    let chain: ChainId = format!("bip122:{chain}").parse().unwrap();
    check(&chain, address, message, signature)
}

fn published() -> Value {
    serde_json::from_str(include_str!("vectors/bip-0322.json")).unwrap()
}

fn recorded() -> Vec<Signed> {
    let all: Vec<Value> = serde_json::from_str(include_str!("vectors/bitcoin.json")).unwrap();
    all.iter().map(Signed::read).collect()
}

fn of_kind(kind: &str) -> Signed {
    recorded().into_iter().find(|one| one.kind == kind).unwrap()
}

#[test]
fn the_vectors_of_bip_322_are_taken_and_those_of_scripts_are_not() {
    let vectors = published();
    let signed = vectors["signed"].as_array().unwrap().iter().map(Signed::read).collect::<Vec<_>>();
    assert_eq!(signed.len(), 11);
    for one in &signed {
        assert_eq!(one.check(), Ok(()), "{} {}", one.address, one.signature);
        assert_eq!(on(MAIN, &one.address, &format!("{}.", one.message), &one.signature), Err(Refusal::Forged));
        for other in signed.iter().filter(|other| other.address != one.address) {
            assert_eq!(on(MAIN, &other.address, &one.message, &one.signature), Err(Refusal::Forged));
        }
    }
    for vector in vectors["script"].as_array().unwrap() {
        assert_eq!(Signed::read(vector).check(), Err(Refusal::Script));
    }
    // A Taproot address whose coins are spent by one of its scripts.
    assert!(matches!(Signed::read(&vectors["scriptPath"]).check(), Err(Refusal::Form(_))));
}

#[test]
fn signatures_of_other_libraries_are_taken_for_each_kind_of_address_form_and_network() {
    let all = recorded();
    assert_eq!(all.len(), 43);
    for one in &all {
        assert_eq!(one.check(), Ok(()), "{} {}", one.kind, one.address);
        assert_eq!(on(&one.chain, &one.address, &one.message, &hex::encode(&one.bytes())), Ok(()), "in hex");
        assert_eq!(on(&one.chain, &one.address, &one.message[1..], &one.signature), Err(Refusal::Forged));
    }
}

/// Vectors of Bitcoin Core's `verifymessage` (src/test/util_tests.cpp).
#[test]
fn signed_messages_of_bitcoin_core_are_taken() {
    for (address, message, signature) in [
        (
            "15CRxFdyRpGZLW9w8HnHvVduizdL5jKNbs",
            "Trust no one",
            "IPojfrX2dfPnH26UegfbGQQLrdK844DlHq5157/P6h57WyuS/Qsl+h/WSVGDF4MUi4rWSswW38oimDYfNNUBUOk=",
        ),
        (
            "11canuhp9X2NocwCq7xNrQYTmUgZAnLK3",
            "Trust me",
            "IIcaIENoYW5jZWxsb3Igb24gYnJpbmsgb2Ygc2Vjb25kIGJhaWxvdXQgZm9yIGJhbmtzIAaHRtbCeDZINyavx14=",
        ),
    ] {
        assert_eq!(on(MAIN, address, message, signature), Ok(()), "{address}");
        assert_eq!(on(MAIN, address, "Trust nobody", signature), Err(Refusal::Forged));
    }
}

#[test]
fn an_address_of_another_network_is_refused_before_the_signature() {
    for one in recorded() {
        for chain in [MAIN, SIGNET, TESTNET4, REGTEST] {
            let own = one.chain == chain;
            // The test networks share their addresses, and regtest shares those in base58.
            let tests = one.chain != MAIN && chain != MAIN;
            let shared =
                tests && ((one.chain != REGTEST && chain != REGTEST) || matches!(&*one.kind, "p2pkh" | "p2sh"));
            let expected = if own || shared { Ok(()) } else { Err(Refusal::OtherNetwork) };
            assert_eq!(on(chain, &one.address, &one.message, &one.signature), expected, "{} on {chain}", one.address);
        }
        for unknown in ["1", "000000000019d6689c085ae165831e94", "12a765e31ffd4059bada1e25190f6e98"] {
            assert_eq!(on(unknown, &one.address, &one.message, &one.signature), Err(Refusal::Network));
        }
    }
}

#[test]
fn a_signature_counts_for_the_address_it_is_of_alone() {
    let all = recorded().into_iter().filter(|one| one.chain == MAIN).collect::<Vec<_>>();
    for one in &all {
        for other in all.iter().filter(|other| other.address != one.address) {
            // The same key in another kind of address: a recovered key proves them all, wallets do not agree on the header.
            if one.bytes().len() == 65 {
                continue;
            }
            assert_eq!(on(MAIN, &other.address, &one.message, &one.signature), Err(Refusal::Forged), "{}", one.kind);
        }
    }
    // A key in the long form has no address of SegWit, not even that of its own hash.
    let long = of_kind("p2pkh long 27");
    assert_eq!(on(MAIN, &of_kind("p2wpkh 31").address, &long.message, &long.signature), Err(Refusal::Forged));
    assert_eq!(on(MAIN, &of_kind("p2pkh 31").address, &long.message, &long.signature), Err(Refusal::Forged));
    let hash = &base58::decode(&long.address).unwrap()[1..21];
    let own = bech32::segwit::encode_v0(bech32::hrp::BC, hash).unwrap();
    assert_eq!(on(MAIN, &own, &long.message, &long.signature), Err(Refusal::Forged));
    // The header of one recovery is not that of the other.
    let mut bytes = of_kind("p2wpkh 39").bytes();
    bytes[0] ^= 1;
    let one = of_kind("p2wpkh 39");
    assert_eq!(on(MAIN, &one.address, &one.message, &hex::encode(&bytes)), Err(Refusal::Forged));
}

/// Order of secp256k1.
const ORDER: &str = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";

/// The other number `s` of the same signature.
fn higher(low: &[u8]) -> Vec<u8> {
    let mut borrow = 0;
    let order = hex::decode(ORDER).unwrap();
    let mut out = order.iter().zip(low).rev().map(|(order, low)| {
        let difference = i16::from(*order) - i16::from(*low) - borrow;
        borrow = i16::from(difference < 0);
        (difference & 0xff) as u8
    });
    let mut bytes = out.by_ref().collect::<Vec<_>>();
    bytes.reverse();
    bytes
}

#[test]
fn the_second_form_of_a_signature_is_refused() {
    let one = of_kind("p2wpkh 39");
    let bytes = one.bytes();
    let other = [&[((bytes[0] - 27) ^ 1) + 27][..], &bytes[1..33], &higher(&bytes[33..])].concat();
    assert_eq!(on(MAIN, &one.address, &one.message, &hex::encode(&other)), Err(Refusal::Forged));
    // In DER: 30, length, 02, length of r, r, 02, length of s, s; a high s has a zero before it.
    let one = of_kind("p2wpkh simple");
    let bytes = one.bytes();
    let (length, r_length) = (usize::from(bytes[1]), usize::from(bytes[5]));
    let (der, key) = (&bytes[2..1 + length], &bytes[2 + length..]);
    let (r, s) = (&der[4..4 + r_length], &der[6 + r_length..]);
    let low = [&vec![0; 32_usize.saturating_sub(s.len())][..], s].concat();
    let high = [&[0][..], &higher(&low[low.len() - 32..])].concat();
    for (s, expected) in [(s, Ok(())), (&high[..], Err(Refusal::Forged))] {
        let der = [&[0x30, (4 + r.len() + s.len()) as u8, 2, r.len() as u8][..], r, &[2, s.len() as u8], s].concat();
        let witness = [&[2, (der.len() + 1) as u8][..], &der, &[1], key].concat();
        assert_eq!(on(MAIN, &one.address, &one.message, &hex::encode(&witness)), expected);
    }
}

#[test]
fn a_signature_over_a_part_of_the_transaction_is_refused() {
    let one = of_kind("p2tr simple");
    let bytes = one.bytes();
    assert_eq!(bytes.len(), 66);
    for flag in [0, 2, 3, 0x81, 0x83] {
        let flagged = [&[1, 65][..], &bytes[2..], &[flag]].concat();
        assert_eq!(on(MAIN, &one.address, &one.message, &hex::encode(&flagged)), Err(Refusal::Forged), "{flag}");
    }
    let one = of_kind("p2wpkh simple");
    let mut bytes = one.bytes();
    let flag = 1 + usize::from(bytes[1]);
    for other in [0, 2, 3, 0x81] {
        bytes[flag] = other;
        assert_eq!(on(MAIN, &one.address, &one.message, &hex::encode(&bytes)), Err(Refusal::Forged), "{other}");
    }
}

#[test]
fn each_changed_byte_makes_it_another_signature() {
    for one in recorded().iter().filter(|one| one.chain == MAIN) {
        let bytes = one.bytes();
        // The header of a signed message tells more than is read of it.
        for at in usize::from(bytes.len() == 65)..bytes.len() {
            for bit in [1, 0x80] {
                let mut changed = bytes.clone();
                changed[at] ^= bit;
                let answer = on(MAIN, &one.address, &one.message, &hex::encode(&changed));
                assert!(matches!(answer, Err(Refusal::Forged | Refusal::Form(_))), "{} {at}", one.kind);
            }
        }
    }
}

#[test]
fn a_full_proof_spends_the_text_and_nothing_else() {
    let one = of_kind("p2wpkh full");
    let bytes = one.bytes();
    // The version, the spent transaction, the index of its output, the sequence and the lock time are signed.
    for (at, refused) in
        [(0, "form"), (6, "form"), (7, "forged"), (39, "form"), (44, "forged"), (48, "form"), (49, "form")]
    {
        let mut changed = bytes.clone();
        changed[at] ^= 4;
        let answer = on(MAIN, &one.address, &one.message, &hex::encode(&changed)).unwrap_err();
        assert_eq!(matches!(answer, Refusal::Form(_)), refused == "form", "{at} {answer}");
    }
    let mut later = bytes.clone();
    *later.last_mut().unwrap() = 1;
    assert_eq!(on(MAIN, &one.address, &one.message, &hex::encode(&later)), Err(Refusal::Forged));
    // A script beside the witness, which segregated witness forbids, and another one than that of the key.
    for (kind, rest) in [("p2wpkh full", 44), ("p2tr full", 44), ("p2sh full", 67)] {
        let one = of_kind(kind);
        let with_script = [&one.bytes()[..43], &[1, 0x51], &one.bytes()[rest..]].concat();
        assert_eq!(on(MAIN, &one.address, &one.message, &hex::encode(&with_script)), Err(Refusal::Forged), "{kind}");
    }
    // A further push after the key, in the script of a transaction without a witness.
    let plain = of_kind("p2pkh full");
    let bytes = plain.bytes();
    let end = 42 + usize::from(bytes[41]);
    let pushed = [&bytes[..41], &[bytes[41] + 3], &bytes[42..end], &[2, 0, 0], &bytes[end..]].concat();
    assert_eq!(on(MAIN, &plain.address, &plain.message, &hex::encode(&pushed)), Err(Refusal::Forged));
    // The simple form in the name of the full one, and the other way round.
    let simple = of_kind("p2wpkh simple");
    for text in [format!("ful{}", simple.signature), format!("smp{}", one.signature), format!("pof{}", one.signature)] {
        assert!(matches!(on(MAIN, &one.address, &one.message, &text), Err(Refusal::Form(_))), "{text}");
    }
}

#[test]
fn anything_that_is_no_signature_is_refused_by_its_form() {
    let one = of_kind("p2wpkh simple");
    let long = ["A".repeat(100_000), "00".repeat(50_000), format!("AgEB{}", "AAAA".repeat(250))];
    let cut = (1..one.bytes().len()).map(|length| hex::encode(&one.bytes()[..length]));
    let known = ["", "0x12", "hello", "smp", "ful", "smpAA==", "AA==", "AQE=", "/f//AQ==", "not-valid-base64!!!"];
    let padded = [format!("{}A", one.signature), format!("{}AAAA", one.signature), format!(" {}", one.signature)];
    // A length in a longer spelling than its own.
    let bytes = one.bytes();
    let spelt = hex::encode(&[&[2, 0xfd, bytes[1], 0][..], &bytes[2..]].concat());
    // Numbers of elements and lengths that are larger than any text.
    let counts = [
        "ff".repeat(65),
        format!("fe{}", "ff".repeat(64)),
        format!("02fdffff{}", "00".repeat(61)),
        "02fd0100".into(),
        spelt,
    ];
    for nonsense in known.map(String::from).into_iter().chain(padded).chain(long).chain(cut).chain(counts) {
        let answer = on(MAIN, &one.address, &one.message, &nonsense);
        assert!(matches!(answer, Err(Refusal::Form(_))), "{answer:?} {}", &nonsense[..nonsense.len().min(40)]);
    }
    // Sixty-five bytes of nonsense with the header of a signed message.
    for header in 27..=42 {
        for byte in [0, 1, 0xff] {
            let bytes = [&[header][..], &[byte; 64]].concat();
            assert_eq!(on(MAIN, &one.address, &one.message, &hex::encode(&bytes)), Err(Refusal::Forged));
        }
    }
    for nobody in ["", "nobody", "bc1q", &base58::encode(&[0; 25]), &"1".repeat(100_000), &one.address.to_uppercase()] {
        assert_eq!(on(MAIN, nobody, &one.message, &one.signature), Err(Refusal::Address));
    }
}
