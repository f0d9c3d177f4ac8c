use super::*;
use portico_json::parse;

const KEY: [u8; 32] = [0x46; 32];

/// Example of EIP-155.
const EXAMPLE: &str = r#"{"from":"0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F","nonce":"0x9","gasPrice":"0x4a817c800","gas":"0x5208",
    "to":"0x3535353535353535353535353535353535353535","value":"0xde0b6b3a7640000","data":"0x","chainId":"0x1"}"#;

const SIGNED: &str = "f86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83";

/// Changes of the example, each of which is refused, with the part that is named.
const REFUSED: [(&str, &str, &str); 27] = [
    (r#""nonce":"0x9","#, "", "nonce"),
    (r#""nonce":"0x9""#, r#""nonce":"9""#, "nonce"),
    (r#""nonce":"0x9""#, r#""nonce":9"#, "nonce"),
    (r#""nonce":"0x9""#, r#""nonce":"0x""#, "nonce"),
    (r#""nonce":"0x9""#, r#""nonce":"0xffffffffffffffff""#, "nonce"),
    (r#""nonce":"0x9""#, r#""nonce":"0x10000000000000000""#, "nonce"),
    (r#""gas":"0x5208","#, "", "gas"),
    (r#""chainId":"0x1""#, r#""chainId":"0x0""#, "chainId"),
    (r#""chainId":"0x1""#, r#""chainId":"0x20000000000000""#, "chainId"),
    (r#","chainId":"0x1""#, "", "chainId"),
    (r#""to":"0x3535353535353535353535353535353535353535","#, "", "to"),
    ("0x3535353535353535353535353535353535353535", "0x35353535353535353535353535353535353535", "to"),
    ("0x3535353535353535353535353535353535353535", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed", "to"),
    (r#""data":"0x""#, r#""data":"0x0""#, "data"),
    (r#""data":"0x""#, r#""data":"0x","input":"0x00""#, "input"),
    (r#""value":"0xde0b6b3a7640000""#, r#""value":1"#, "value"),
    (r#""gasPrice":"0x4a817c800","#, "", "maxFeePerGas"),
    (r#""gasPrice":"0x4a817c800""#, r#""gasPrice":"0x1","maxFeePerGas":"0x1""#, "gasPrice"),
    (r#""gasPrice":"0x4a817c800""#, r#""maxFeePerGas":"0x1""#, "maxPriorityFeePerGas"),
    (r#""gasPrice":"0x4a817c800""#, r#""maxFeePerGas":"0x1","maxPriorityFeePerGas":"0x2""#, "maxPriorityFeePerGas"),
    (r#""gasPrice":"0x4a817c800""#, r#""gasPrice":"0x1","type":"0x2""#, "gasPrice"),
    (r#""gasPrice":"0x4a817c800""#, r#""gasPrice":"0x1","type":"0x1""#, "type"),
    (r#""gasPrice":"0x4a817c800""#, r#""gasPrice":"0x1","type":"0x4""#, "type"),
    (r#""gasPrice":"0x4a817c800""#, r#""gasPrice":"0x1","type":2"#, "type"),
    (r#""data":"0x""#, r#""data":"0x","authorizationList":[]"#, "transaction"),
    (r#""data":"0x""#, r#""data":"0x","gasLimit":"0x1""#, "transaction"),
    (
        r#""data":"0x""#,
        r#""accessList":[{"address":"0x3535353535353535353535353535353535353535","storageKeys":[]}]"#,
        "accessList",
    ),
];

fn signed(text: &str, key: &[u8]) -> Result<SignedTransaction, &'static str> {
    let read = Transaction::read(&parse(text).unwrap()).map_err(|refusal| refusal.part)?;
    Ok(read.sign(&SigningKey::from_slice(key).unwrap()))
}

#[test]
fn the_example_of_eip_155_holds() {
    assert_eq!(signed(EXAMPLE, &KEY).map(|signed| hex::encode(&signed.raw)).as_deref(), Ok(SIGNED));
    let same = EXAMPLE.replacen('{', r#"{"type":"0x00","maxFeePerGas":null,"accessList":[],"input":"0x","#, 1);
    assert_eq!(signed(&same, &KEY).map(|signed| hex::encode(&signed.raw)).as_deref(), Ok(SIGNED));
}

#[test]
fn the_transactions_of_ethers_hold() {
    for (text, least) in [
        (include_str!("../../../../../fixtures/signer/transactions.json"), 24),
        (include_str!("../../../../../fixtures/signer/testcases-transactions.json"), 90),
    ] {
        let cases: Vec<serde_json::Value> = serde_json::from_str(text).unwrap();
        assert!(cases.len() >= least);
        for case in cases {
            let text = |name: &str| case[name].as_str().unwrap().trim_start_matches("0x").to_owned();
            let made = signed(&case["transaction"].to_string(), &hex::decode32(&text("key")).unwrap()).unwrap();
            assert_eq!((hex::encode(&made.raw), hex::encode(&made.hash)), (text("raw"), text("hash")), "{case}");
        }
    }
}

#[test]
fn each_field_that_is_missing_unknown_or_not_of_its_form_is_refused() {
    for (there, instead, part) in REFUSED {
        assert!(EXAMPLE.contains(there), "{there}");
        let refused = signed(&EXAMPLE.replacen(there, instead, 1), &KEY).map(|signed| hex::encode(&signed.raw));
        assert_eq!(refused, Err(part), "{instead}");
    }
    assert!(signed("[]", &KEY).is_err());
}
