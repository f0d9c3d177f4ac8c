use super::*;
use portico_encoding::hex;

/// Example of EIP-712.
const MAIL: &str = r#"{"types":{"EIP712Domain":[{"name":"name","type":"string"},{"name":"version","type":"string"},
    {"name":"chainId","type":"uint256"},{"name":"verifyingContract","type":"address"}],
    "Person":[{"name":"name","type":"string"},{"name":"wallet","type":"address"}],
    "Mail":[{"name":"from","type":"Person"},{"name":"to","type":"Person"},{"name":"contents","type":"string"}]},
    "primaryType":"Mail","domain":{"name":"Ether Mail","version":"1","chainId":1,
    "verifyingContract":"0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC"},
    "message":{"from":{"name":"Cow","wallet":"0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"},
    "to":{"name":"Bob","wallet":"0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"},"contents":"Hello, Bob!"}}"#;

/// Changes of the example, each of which is refused, with the part that is named.
const REFUSED: [(&str, &str, &str); 33] = [
    // Shapes.
    (r#""primaryType":"Mail","#, "", "typedData"),
    (r#""primaryType":"Mail","#, r#""primaryType":"Mail","more":1,"#, "typedData"),
    (r#""primaryType":"Mail""#, r#""primaryType":"Post""#, "primaryType"),
    (r#""primaryType":"Mail""#, r#""primaryType":"EIP712Domain""#, "primaryType"),
    (r#""primaryType":"Mail""#, r#""primaryType":7"#, "primaryType"),
    // Types.
    (r#"{"name":"wallet","type":"address"}"#, r#"{"name":"wallet","type":"adress"}"#, "types"),
    (r#"{"name":"wallet","type":"address"}"#, r#"{"name":"wallet","type":"uint"}"#, "types"),
    (r#"{"name":"wallet","type":"address"}"#, r#"{"name":"wallet","type":"uint7"}"#, "types"),
    (r#"{"name":"wallet","type":"address"}"#, r#"{"name":"wallet","type":"uint264"}"#, "types"),
    (r#"{"name":"wallet","type":"address"}"#, r#"{"name":"wallet","type":"bytes33"}"#, "types"),
    (r#"{"name":"wallet","type":"address"}"#, r#"{"name":"wallet","type":"bytes0"}"#, "types"),
    (r#"{"name":"wallet","type":"address"}"#, r#"{"name":"wallet","type":"address[0]"}"#, "types"),
    (r#"{"name":"wallet","type":"address"}"#, r#"{"name":"wallet","type":"address[]]"}"#, "types"),
    (r#"{"name":"wallet","type":"address"}"#, r#"{"name":"wallet","type":"Person"}"#, "types"),
    (r#"{"name":"wallet","type":"address"}"#, r#"{"name":"wallet","type":"Mail[]"}"#, "types"),
    (r#"{"name":"wallet","type":"address"}"#, r#"{"name":"name","type":"address"}"#, "types"),
    (r#"{"name":"wallet","type":"address"}"#, r#"{"name":"a b","type":"address"}"#, "types"),
    (r#"{"name":"wallet","type":"address"}"#, r#"{"name":"wallet","type":"address","more":1}"#, "types"),
    (r#""Person":["#, r#""uint":[],"Person":["#, "types"),
    (r#""Person":["#, r#""Person":[],"Person":["#, "types"),
    (r#""Person":["#, r#""Per,son":[],"Person":["#, "types"),
    // Domains.
    (r#""EIP712Domain":["#, r#""Domain":["#, "EIP712Domain"),
    (r#"{"name":"chainId","type":"uint256"}"#, r#"{"name":"chain","type":"uint256"}"#, "EIP712Domain"),
    (r#"{"name":"chainId","type":"uint256"}"#, r#"{"name":"chainId","type":"uint64"}"#, "EIP712Domain"),
    (r#""chainId":1,"#, "", "domain"),
    (r#""chainId":1,"#, r#""chainId":1,"salt":"0x00","#, "domain"),
    (r#""chainId":1,"#, r#""chainId":1.5,"#, "domain"),
    (r#""chainId":1,"#, r#""chainId":-1,"#, "domain"),
    (r#""chainId":1,"#, r#""chainId":9007199254740992,"#, "domain"),
    // Messages.
    (r#","contents":"Hello, Bob!""#, "", "message"),
    (r#""contents":"Hello, Bob!""#, r#""contents":"Hello, Bob!","hidden":1"#, "message"),
    (r#""contents":"Hello, Bob!""#, r#""contents":null"#, "message"),
    ("0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826", "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD82", "message"),
];

fn digest(text: &str) -> Result<String, &'static str> {
    typed_digest(&text.into()).map(|digest| hex::encode(&digest)).map_err(|refusal| refusal.part)
}

/// Typed data of one member of a type.
fn one(kind: &str, value: &str) -> String {
    r#"{"types":{"EIP712Domain":[{"name":"name","type":"string"}],"A":[{"name":"a","type":"KIND"}]},"primaryType":"A",
        "domain":{"name":"n"},"message":{"a":VALUE}}"#
        .replace("KIND", kind)
        .replace("VALUE", value)
}

#[test]
fn the_example_of_eip_712_holds() {
    let key = SigningKey::from_slice(&keccak256(b"cow")).unwrap();
    let expected = "be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2";
    assert_eq!(digest(MAIL).as_deref(), Ok(expected));
    assert_eq!(typed_digest(&parse(MAIL).unwrap()).map(|digest| hex::encode(&digest)).as_deref(), Ok(expected));
    assert_eq!(
        sign_typed(&key, &MAIL.into()).map(|signature| signature.text()).as_deref(),
        Ok(
            "0x4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b915621c"
        )
    );
}

#[test]
fn the_digests_of_ethers_hold() {
    for (text, least) in [
        (include_str!("../../../../../fixtures/signer/typed.json"), 3),
        (include_str!("../../../../../fixtures/signer/testcases-typed.json"), 80),
    ] {
        let cases: Vec<serde_json::Value> = serde_json::from_str(text).unwrap();
        assert!(cases.len() >= least);
        for case in cases {
            let expected = case["digest"].as_str().unwrap().trim_start_matches("0x");
            assert_eq!(digest(&case["data"].to_string()).as_deref(), Ok(expected), "{case}");
        }
    }
}

#[test]
fn each_unknown_type_cycle_and_wrong_shape_is_refused() {
    for (there, instead, part) in REFUSED {
        assert!(MAIL.contains(there), "{there}");
        assert_eq!(digest(&MAIL.replacen(there, instead, 1)), Err(part), "{instead}");
    }
    for bad in ["", "{", "[]", "7", "null"] {
        assert_eq!(digest(bad), Err("typedData"), "{bad}");
    }
    assert_eq!(digest(&" ".repeat(LONGEST + 1)), Err("typedData"));
}

#[test]
fn numbers_are_exact_and_in_their_range() {
    for (kind, fitting, beyond) in [
        (
            "uint8",
            &["0", "255", "\"255\"", "\"0xff\""][..],
            &["256", "-1", "\"0x100\"", "1.0", "1e2", "\"\"", "true"][..],
        ),
        ("int8", &["-128", "127", "\"-128\""], &["-129", "128", "\"-0x1\"", "\"--1\"", "\"-\""]),
        (
            "uint256",
            &["\"115792089237316195423570985008687907853269984665640564039457584007913129639935\""],
            &["\"115792089237316195423570985008687907853269984665640564039457584007913129639936\"", "9007199254740993"],
        ),
        ("bool", &["true", "false"], &["1", "\"true\"", "null"]),
        ("bytes3", &["\"0x010203\""], &["\"0x0102\"", "\"0x01020304\"", "\"010203\"", "[1,2,3]"]),
        ("bytes", &["\"0x\"", "\"0xfF\""], &["\"0xf\"", "\"\"", "\"ff\""]),
        ("string[2]", &["[\"a\",\"b\"]"], &["[\"a\"]", "[\"a\",\"b\",\"c\"]", "\"ab\"", "{\"0\":\"a\",\"1\":\"b\"}"]),
        (
            "address",
            &["\"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\""],
            &["\"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed\"", "\"5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\""],
        ),
    ] {
        for value in fitting {
            assert!(digest(&one(kind, value)).is_ok(), "{kind} {value}");
        }
        for value in beyond {
            assert_eq!(digest(&one(kind, value)), Err("message"), "{kind} {value}");
        }
    }
    assert_eq!(digest(&one("int8", "\"-128\"")), digest(&one("int8", "-128")));
    assert_ne!(digest(&one("int8", "-1")), digest(&one("int16", "-1")));
}

#[test]
fn types_nest_at_most_sixteen_deep_and_shared_ones_cost_no_time() {
    let nested = |depth: usize| {
        let mut types = String::from(r#""EIP712Domain":[{"name":"name","type":"string"}]"#);
        for at in 0..depth {
            let next = at + 1;
            types += &format!(r#","S{at}":[{{"name":"a","type":"S{next}[]"}},{{"name":"b","type":"S{next}[]"}}]"#);
        }
        types += &format!(r#","S{depth}":[]"#);
        digest(&format!(
            r#"{{"types":{{{types}}},"primaryType":"S0","domain":{{"name":"n"}},"message":{{"a":[],"b":[]}}}}"#
        ))
    };
    assert!(nested(16).is_ok());
    assert_eq!(nested(17), Err("types"));
    assert_eq!(nested(62), Err("types"));
    assert_eq!(nested(100), Err("types"));
}
