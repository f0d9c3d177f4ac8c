//! Published test vectors, and inputs that deviate from them.

use portico_json::{Value, parse};
use portico_walletconnect::crypto::{Envelope, EnvelopeFault, KeyPair, MAX_MESSAGE, SymKey, seal, seal_from, sha256};
use portico_walletconnect::encoding::base64::{self, Spelling};
use portico_walletconnect::encoding::hex;
use portico_walletconnect::{did, jwt};
use proptest::prelude::*;

fn vectors() -> Value {
    parse(include_str!("../../../../fixtures/walletconnect/vectors.json")).unwrap()
}

fn text(name: &str) -> String {
    vectors().get(name).as_str().unwrap().to_owned()
}

fn key(name: &str) -> [u8; 32] {
    hex::decode32(&text(name)).unwrap()
}

fn iv() -> [u8; 12] {
    *b"qwecfaasdads"
}

fn sym_key() -> SymKey {
    SymKey::from_hex(&text("symKey")).unwrap()
}

#[test]
fn both_sides_derive_the_published_key_and_topic() {
    let (a, b) = (KeyPair::from_secret(key("secretA")), KeyPair::from_secret(key("secretB")));
    assert_eq!((a.public(), b.public()), (&key("publicA"), &key("publicB")));
    for agreed in [a.agree(b.public()).unwrap(), b.agree(a.public()).unwrap()] {
        assert_eq!(agreed.to_hex(), text("symKey"));
        assert_eq!(agreed.topic(), text("topic"));
    }
}

#[test]
fn a_key_of_low_order_agrees_with_nobody() {
    let own = KeyPair::from_secret(key("secretA"));
    let mut one = [0; 32];
    one[0] = 1;
    assert!(own.agree(&[0; 32]).is_none());
    assert!(own.agree(&one).is_none());
}

#[test]
fn the_published_envelopes_are_reproduced_and_opened() {
    let (key_of_both, plain) = (sym_key(), text("plain"));
    assert_eq!(hex::encode(&iv()), text("iv"));
    assert_eq!(hex::encode(&sha256(plain.as_bytes())), text("plainHash"));
    assert_eq!(seal(&plain, &key_of_both, iv()), text("type0"));
    assert_eq!(seal_from(&key("publicA"), &plain, &key_of_both, iv()), text("type1"));

    assert_eq!(Envelope::parse(&text("type0")).unwrap().open(&key_of_both), Ok(plain.clone()));
    let b = KeyPair::from_secret(key("secretB"));
    let (agreed, opened) = Envelope::parse(&text("type1")).unwrap().open_addressed(&b).ok().unwrap();
    assert_eq!((agreed.to_hex(), opened), (text("symKey"), plain.clone()));
    assert_eq!(Envelope::parse(&text("type2")), Ok(Envelope::Plain(plain.clone())));
    assert_eq!(Envelope::parse_link(text("type2").trim_end_matches('=')), Ok(Envelope::Plain(plain)));
}

#[test]
fn plain_text_is_never_taken_for_a_sealed_message() {
    assert_eq!(Envelope::parse(&text("type2")).unwrap().open(&sym_key()), Err(EnvelopeFault::Open));
    let b = KeyPair::from_secret(key("secretB"));
    assert!(Envelope::parse(&text("type0")).unwrap().open_addressed(&b).is_err());
}

#[test]
fn a_wrong_key_and_a_changed_byte_open_nothing() {
    let other = SymKey::new([9; 32]);
    assert_eq!(Envelope::parse(&text("type0")).unwrap().open(&other), Err(EnvelopeFault::Key));
    let stranger = KeyPair::from_secret([5; 32]);
    assert!(Envelope::parse(&text("type1")).unwrap().open_addressed(&stranger).is_err());
    let bytes = base64::decode(&text("type0"), Spelling::Standard).unwrap();
    for index in 1..bytes.len() {
        let mut changed = bytes.clone();
        changed[index] ^= 1;
        let changed = base64::encode(&changed, Spelling::Standard);
        assert_eq!(Envelope::parse(&changed).unwrap().open(&sym_key()), Err(EnvelopeFault::Key), "byte {index}");
    }
}

#[test]
fn what_is_truncated_oversized_or_of_another_type_is_no_envelope() {
    let bytes = base64::decode(&text("type1"), Spelling::Standard).unwrap();
    for length in 0..1 + 32 + 12 + 16 {
        let cut = base64::encode(&bytes[..length], Spelling::Standard);
        assert_eq!(Envelope::parse(&cut), Err(EnvelopeFault::Form), "{length} bytes");
    }
    for kind in 3..=255u8 {
        let strange = base64::encode(&[&[kind], &bytes[1..]].concat(), Spelling::Standard);
        assert_eq!(Envelope::parse(&strange), Err(EnvelopeFault::Kind));
    }
    // The digit 0 is not the byte 0.
    let digit = base64::encode(&[b"0", &bytes[1..]].concat(), Spelling::Standard);
    assert_eq!(Envelope::parse(&digit), Err(EnvelopeFault::Kind));
    assert_eq!(Envelope::parse(&"A".repeat(MAX_MESSAGE + 4)), Err(EnvelopeFault::Size));
    assert_eq!(Envelope::parse("not base64"), Err(EnvelopeFault::Form));
    assert_eq!(Envelope::parse(&base64::encode(&[2, 0xff], Spelling::Standard)), Err(EnvelopeFault::Text));
}

#[test]
fn the_published_token_is_reproduced() {
    let vectors = vectors();
    let vector = vectors.get("jwt");
    let part = |name: &str| vector.get(name).as_str().unwrap();
    let client = jwt::ClientKey::from_seed(&hex::decode32(part("seed")).unwrap());
    assert_eq!(client.did(), part("did"));
    let issued = vector.get("issued").as_u64().unwrap();
    let token = client.sign(part("subject"), part("audience"), issued, jwt::LIFETIME);
    assert_eq!(token, part("token"));
    let claims = jwt::verify(&token, &[part("audience")], issued).unwrap();
    assert_eq!((claims.issuer.as_str(), claims.subject.as_str()), (part("did"), part("subject")));
    assert_eq!((claims.issued, claims.expires), (issued, issued + 86_400));
}

#[test]
fn only_an_ed25519_key_is_a_client_id() {
    let good = did::encode(&[3; 32]);
    assert_eq!(did::decode(&good), Some([3; 32]));
    let foreign = ["did:key:", &good[9..]].concat();
    for bad in ["", "did:key:z", "did:web:example.org", &foreign, &good[..good.len() - 1], &(good.clone() + "1")] {
        assert_eq!(did::decode(bad), None, "{bad}");
    }
    // Multibase z of an X25519 key (0xec01).
    assert_eq!(did::decode("did:key:z6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc"), None);
}

proptest! {
    #[test]
    fn a_sealed_text_opens_to_itself(plain in ".{0,200}", secret: [u8; 32], iv: [u8; 12]) {
        let key = SymKey::new(secret);
        prop_assert_eq!(Envelope::parse(&seal(&plain, &key, iv)).unwrap().open(&key), Ok(plain.clone()));
        let (from, to) = (KeyPair::from_secret(secret), KeyPair::from_secret([7; 32]));
        let agreed = from.agree(to.public()).unwrap();
        let addressed = seal_from(from.public(), &plain, &agreed, iv);
        prop_assert_eq!(Envelope::parse(&addressed).unwrap().open_addressed(&to).ok().map(|opened| opened.1), Some(plain));
    }

    #[test]
    fn no_text_breaks_the_parser(message in "[A-Za-z0-9+/=]{0,120}", bytes: Vec<u8>) {
        for message in [message, base64::encode(&bytes, Spelling::Standard)] {
            if let Ok(envelope) = Envelope::parse(&message) {
                prop_assert!(envelope.open(&SymKey::new([1; 32])).is_err());
            }
        }
    }
}
