//! Fuzz target: any text as an envelope, and as the content of one. An envelope of another key never opens; an own one opens to what was
//! sealed.

use portico_walletconnect::crypto::{Envelope, KeyPair, SymKey, seal, seal_from};

/// Panics if an envelope violates this.
pub fn take(text: &str) {
    let key = SymKey::new([7; 32]);
    let (own, peer) = (KeyPair::from_secret([1; 32]), KeyPair::from_secret([2; 32]));
    for envelope in [Envelope::parse(text), Envelope::parse_link(text)].into_iter().flatten() {
        assert!(envelope.clone().open(&key).is_err());
        assert!(envelope.open_addressed(&own).is_err());
    }
    let iv = [3; 12];
    let sealed = seal(text, &key, iv);
    assert_eq!(Envelope::parse(&sealed).and_then(|envelope| envelope.open(&key)).as_deref(), Ok(text));
    let agreed = peer.agree(own.public()).expect("two valid keys");
    let sealed = seal_from(peer.public(), text, &agreed, iv);
    let opened = Envelope::parse(&sealed).and_then(|envelope| envelope.open_addressed(&own));
    assert_eq!(opened.map(|(_, text)| text).as_deref(), Ok(text));
}
