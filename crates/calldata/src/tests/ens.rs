//! Name lookups, encoded by another library and read here, and the reverse.

use crate::ens::{ETHER, Lookup, MOST_URLS, Name, Query, UNIVERSAL_RESOLVER, address, gateway_failed, normal};
use crate::hex;
use alloy_primitives::{Address as Alloy, Bytes, FixedBytes, U256};
use alloy_sol_types::{SolCall, SolError, SolValue, sol};

sol! {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);
    error HttpError(uint16 status, string message);
    struct Asked { address sender; string[] urls; bytes data; }
    function query(Asked[] queries) returns (bool[] failures, bytes[] responses);
    function resolveWithGateways(bytes name, bytes data, string[] gateways);
    function addr(bytes32 node);
    function after_(bytes response, bytes extra);
}

mod of_coin {
    alloy_sol_types::sol! {
        function addr(bytes32 node, uint256 coinType);
    }
}

const PAID: [u8; 20] = [0x70; 20];

fn contract() -> Alloy {
    UNIVERSAL_RESOLVER.parse().unwrap()
}

fn batch(queries: Vec<Asked>) -> String {
    lookup(contract(), &["x-batch-gateway:true"], queryCall { queries }.abi_encode())
}

fn lookup(sender: Alloy, urls: &[&str], data: Vec<u8>) -> String {
    let error = OffchainLookup {
        sender,
        urls: urls.iter().map(|url| (*url).into()).collect(),
        callData: data.into(),
        callbackFunction: FixedBytes([1, 2, 3, 4]),
        extraData: Bytes::from_static(b"carried along"),
    };
    hex::of(&error.abi_encode())
}

fn asked(url: &str) -> Asked {
    Asked { sender: Alloy::from(PAID), urls: vec![url.into()], data: Bytes::from_static(&[0xab, 0xcd]) }
}

#[test]
fn a_name_of_ascii_characters_is_written_in_lower_case_and_another_one_has_no_normal_form_here() {
    for (text, expected) in [
        ("alice.eth", Some("alice.eth")),
        ("Alice.ETH", Some("alice.eth")),
        ("_dns.a-b.$.eth", Some("_dns.a-b.$.eth")),
        ("a--b.eth", Some("a--b.eth")),
        ("xn--a.eth", None),
        ("a_b.eth", None),
        ("a..eth", None),
        (".eth", None),
        ("ñandu.eth", None),
        ("a\u{200b}.eth", None),
        ("a'b.eth", None),
        ("a b.eth", None),
    ] {
        assert_eq!(normal(text).as_deref(), expected, "{text}");
    }
}

#[test]
fn the_question_is_the_call_of_the_contract_with_the_hash_of_the_name() {
    // From EIP-137.
    let node: FixedBytes<32> = "0xde9b09fd7c5f901e23a3f19fecc54828e9c848539801e86591bd9801b019f84f".parse().unwrap();
    let name = Name::new("foo.eth").unwrap();
    for (coin, data) in [
        (ETHER, addrCall { node }.abi_encode()),
        (2_147_483_658, of_coin::addrCall { node, coinType: U256::from(2_147_483_658_u64) }.abi_encode()),
    ] {
        let call = resolveWithGatewaysCall {
            name: Bytes::from_static(b"\x03foo\x03eth\x00"),
            data: data.into(),
            gateways: vec!["x-batch-gateway:true".into()],
        };
        assert_eq!(name.question(coin), hex::of(&call.abi_encode()), "{coin}");
    }
    assert!(Name::new("a..eth").is_none() && Name::new(&"abcdefg.".repeat(40)).is_none());
}

#[test]
fn the_address_is_read_from_the_answer_for_its_coin_type() {
    let resolver = Alloy::repeat_byte(9);
    let returned = |record: Vec<u8>| hex::of(&(Bytes::from(record), resolver).abi_encode_params());
    let ether = returned(Alloy::from(PAID).abi_encode());
    let coin = |bytes: &[u8]| returned(Bytes::copy_from_slice(bytes).abi_encode());
    assert_eq!(address(&ether, ETHER), Some(Some(PAID)));
    assert_eq!(address(&coin(&PAID), 2_147_483_658), Some(Some(PAID)));
    assert_eq!(address(&returned(Alloy::ZERO.abi_encode()), ETHER), Some(None));
    assert_eq!(address(&coin(&[]), 2_147_483_658), Some(None));
    assert_eq!(address(&coin(&[0; 20]), 2_147_483_658), Some(None));
    // Bytes of another length are no address, and an answer for one coin type is none for the other.
    for wrong in [coin(&[7; 32]), coin(&[7; 19]), ether.clone(), returned(vec![]), "0x".into(), ether[..130].into()] {
        assert_eq!(address(&wrong, 2_147_483_658), None, "{wrong}");
    }
    assert_eq!(address(&coin(&PAID), ETHER), None);
}

#[test]
fn a_batch_of_lookups_is_read_and_its_answers_are_handed_to_the_contract() {
    let lookup =
        Lookup::read(&batch(vec![asked("https://one.example/{sender}/{data}"), asked("")]), UNIVERSAL_RESOLVER);
    let lookup = lookup.unwrap();
    assert_eq!((lookup.queries.len(), lookup.queries[0].sender), (2, PAID));
    let callback = lookup.callback(&[Ok(vec![1, 2, 3]), Err(404)]).unwrap();
    let data = hex::bytes(&callback).unwrap();
    assert_eq!(data[..4], [1, 2, 3, 4]);
    let (response, extra) = <(Bytes, Bytes)>::abi_decode_params(&data[4..]).unwrap();
    assert_eq!(&extra[..], b"carried along");
    let answer = queryCall::abi_decode_returns(&response).unwrap();
    assert_eq!((answer.failures, &answer.responses[0][..]), (vec![false, true], &[1, 2, 3][..]));
    assert_eq!(HttpError::abi_decode(&answer.responses[1]).unwrap().status, 404);
}

#[test]
fn a_lookup_without_a_batch_goes_to_its_own_gateways_and_its_failure_ends_it() {
    let text = lookup(contract(), &["https://one.example/{sender}", "https://two.example"], vec![7]);
    let lookup = Lookup::read(&text, UNIVERSAL_RESOLVER).unwrap();
    assert_eq!((lookup.queries.len(), lookup.queries[0].urls.len()), (1, 2));
    let data = hex::bytes(&lookup.callback(&[Ok(vec![5])]).unwrap()).unwrap();
    assert_eq!(<(Bytes, Bytes)>::abi_decode_params(&data[4..]).unwrap().0[..], [5]);
    assert_eq!(lookup.callback(&[Err(500)]), None);
}

#[test]
fn a_lookup_of_another_contract_or_one_that_ends_early_is_refused() {
    let fine = batch(vec![asked("https://one.example")]);
    assert!(Lookup::read(&fine, UNIVERSAL_RESOLVER).is_some());
    let strange =
        lookup(Alloy::from(PAID), &["x-batch-gateway:true"], queryCall { queries: vec![asked("")] }.abi_encode());
    let many = batch((0..5).map(|_| asked("https://one.example")).collect());
    let garbage = lookup(contract(), &["x-batch-gateway:true"], vec![1, 2, 3]);
    for text in [strange, many, garbage, batch(vec![]), fine[..fine.len() - 60].into(), "0x".into()] {
        assert!(Lookup::read(&text, UNIVERSAL_RESOLVER).is_none(), "{text}");
    }
}

#[test]
fn a_request_goes_to_https_or_this_machine_alone_by_get_where_the_address_has_a_place_for_the_data() {
    let sender = "0x7070707070707070707070707070707070707070";
    let of = |url: &str| Query { sender: PAID, urls: vec![url.into()], data: vec![0xab] }.request(0);
    assert_eq!(
        of("https://one.example/{sender}/{data}.json"),
        Some((format!("https://one.example/{sender}/0xab.json"), None))
    );
    let body = format!(r#"{{"data":"0xab","sender":"{sender}"}}"#);
    assert_eq!(of("https://one.example/{sender}"), Some((format!("https://one.example/{sender}"), Some(body.clone()))));
    assert_eq!(of("http://127.0.0.1:8080/{data}"), Some(("http://127.0.0.1:8080/0xab".into(), None)));
    for url in [
        "http://one.example/{data}",
        "http://127.0.0.1.example/{data}",
        "http://127.0.0.1:x@one.example/{data}",
        "ipfs://x",
        "data:,{data}",
        "//x/{data}",
        "",
    ] {
        assert_eq!(of(url), None, "{url}");
    }
    let many = Query { sender: PAID, urls: vec!["https://one.example".into(); 9], data: vec![] };
    assert!(many.request(MOST_URLS - 1).is_some() && many.request(MOST_URLS).is_none());
}

#[test]
fn a_gateway_that_fails_is_told_apart_from_a_missing_record() {
    for (status, failed) in [(503, true), (500, true), (0, true), (404, false)] {
        let error = HttpError { status, message: "the gateway says so".into() };
        assert_eq!(gateway_failed(&hex::of(&error.abi_encode())), failed, "{status}");
    }
    assert!(!gateway_failed("0x77209fe8"));
}
