//! Fuzz target: any text as a name, and any hex as an answer of the contract that resolves names.

use portico_calldata::ens::{
    ETHER, Lookup, MOST_QUERIES, MOST_URLS, Name, UNIVERSAL_RESOLVER, address, gateway_failed, normal,
};
use portico_calldata::hex;

/// Panics if a reader panics, if a lookup has more queries than its limit or a request that does not go to https or this machine, or if the
/// normal form of a name has another one.
pub fn take(text: &str) {
    let text = text.trim();
    if let Some(name) = normal(text) {
        assert_eq!(normal(&name).as_ref(), Some(&name));
        if let Some(name) = Name::new(&name) {
            assert!(hex::bytes(&name.question(ETHER)).is_some());
        }
    }
    for coin in [ETHER, 2_147_483_658] {
        let _ = address(text, coin);
    }
    let _ = gateway_failed(text);
    let Some(lookup) = Lookup::read(text, UNIVERSAL_RESOLVER) else { return };
    assert!((1..=MOST_QUERIES).contains(&lookup.queries.len()));
    for query in &lookup.queries {
        for number in 0..=MOST_URLS {
            if let Some((url, _)) = query.request(number) {
                let own = url.starts_with("http://127.0.0.1:") || url.starts_with("http://localhost:");
                assert!(number < MOST_URLS && (own || url.starts_with("https://")), "{url}");
            }
        }
    }
    let answers: Vec<_> = lookup.queries.iter().map(|_| Ok(vec![7; 33])).collect();
    let call = lookup.callback(&answers).expect("answers are handed on");
    assert!(hex::bytes(&call).is_some());
    let _ = lookup.callback(&vec![Err(404); lookup.queries.len()]);
}
