//! Pairing URIs in the forms that wallets encounter.

use portico_walletconnect::encoding::base64::{Spelling, encode};
use portico_walletconnect::uri::{PairingUri, UriFault};
use proptest::prelude::*;

const TOPIC: &str = "7f6e504bfad60b485450578e05678ed3e8e8c4751d3c6160be17160d63ec90f9";
const KEY: &str = "587d5484ce2a2a6ee3ba1962fdd7e8588e06200c46823bd18fbd67def96ad303";

fn fault(text: &str) -> Option<UriFault> {
    PairingUri::parse(&text.replace("TOPIC", TOPIC).replace("KEY", KEY)).err()
}

fn read(text: &str) -> PairingUri {
    PairingUri::parse(&text.replace("TOPIC", TOPIC).replace("KEY", KEY))
        .unwrap_or_else(|fault| panic!("{text}: {fault:?}"))
}

#[test]
fn what_is_no_pairing_is_told_apart() {
    for bad in ["", "wc:", "https://example.org", "wc:TOPIC", "wc:TOPIC@2", "wc:TOPIC?symKey=KEY", "d2M6", "%%%", "é"]
    {
        assert_eq!(fault(bad), Some(UriFault::Form), "{bad}");
    }
    assert_eq!(fault(&format!("wc:TOPIC@2?symKey=KEY&x={}", "y".repeat(4096))), Some(UriFault::Form));
    for bad in ["wc:TOPIC@1?bridge=https%3A%2F%2Fbridge&key=KEY", "wc:TOPIC@?symKey=KEY", "wc:TOPIC@22?symKey=KEY"] {
        assert_eq!(fault(bad), Some(UriFault::Version), "{bad}");
    }
    for bad in ["wc:@2?symKey=KEY", "wc:00@2?symKey=KEY", "wc:xTOPIC@2?symKey=KEY"] {
        assert_eq!(fault(bad), Some(UriFault::Topic), "{bad}");
    }
    for bad in [
        "wc:TOPIC@2?",
        "wc:TOPIC@2?relay-protocol=irn",
        "wc:TOPIC@2?symKey=",
        "wc:TOPIC@2?symKey=KEY0",
        "wc:TOPIC@2?SYMKEY=KEY",
    ] {
        assert_eq!(fault(bad), Some(UriFault::Key), "{bad}");
    }
    assert_eq!(fault("wc:TOPIC@2?symKey=KEY&relay-protocol=waku"), Some(UriFault::Relay));
    assert_eq!(fault("wc:TOPIC@2?symKey=KEY&expiryTimestamp=soon"), Some(UriFault::Expiry));
}

#[test]
fn every_shape_that_wallets_meet_is_read() {
    let plain = "wc:TOPIC@2?symKey=KEY&relay-protocol=irn&expiryTimestamp=1700000000";
    for same in [
        plain,
        "wc://TOPIC@2?symKey=KEY&relay-protocol=irn&expiryTimestamp=1700000000",
        "wc:TOPIC@2?expiryTimestamp=1700000000&symKey=KEY",
        "wc:TOPIC@2?expiryTimestamp=1700000000&unknown=1&flag&symKey=KEY&relay-protocol=irn",
        "wc:TOPIC@2/?symKey=KEY&relay-protocol=irn&expiryTimestamp=1700000000",
        " wc:TOPIC@2?symKey=KEY&relay-protocol=irn&expiryTimestamp=1700000000\n",
    ] {
        assert!(read(same) == read(plain), "{same}");
    }
    let whole = plain.replace("TOPIC", TOPIC).replace("KEY", KEY);
    for spelling in [Spelling::Standard, Spelling::Bare, Spelling::Url] {
        assert!(read(&encode(whole.as_bytes(), spelling)) == read(plain));
    }
    assert!(read(&whole.replace(TOPIC, &TOPIC.to_uppercase())).topic == TOPIC);
}

#[test]
fn methods_are_read_in_both_ways_of_writing() {
    for (text, methods) in [
        ("wc_sessionAuthenticate", vec!["wc_sessionAuthenticate"]),
        ("wc_sessionPropose, wc_sessionAuthenticate", vec!["wc_sessionPropose", "wc_sessionAuthenticate"]),
        ("[a],[b,c]", vec!["a", "b", "c"]),
        ("%5Ba%5D%2C%5Bb%2Cc%5D", vec!["a", "b", "c"]),
        ("", vec![]),
    ] {
        assert_eq!(read(&format!("wc:TOPIC@2?symKey=KEY&methods={text}")).methods, methods, "{text}");
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read(topic in "[0-9a-f]{64}", key in "[0-9a-f]{64}", data in proptest::option::of(".{1,12}"),
        methods in proptest::collection::vec("[a-z_A-Z]{1,12}", 0..3), expiry: Option<u64>) {
        let mut text = format!("wc:{topic}@2?symKey={key}");
        expiry.inspect(|expiry| text += &format!("&expiryTimestamp={expiry}"));
        let mut uri = PairingUri::parse(&text).map_err(|fault| TestCaseError::fail(format!("{fault:?}")))?;
        uri.methods = methods;
        uri.relay_data = data;
        prop_assert!(PairingUri::parse(&uri.to_text()) == Ok(uri));
    }

    #[test]
    fn no_text_breaks_the_parser(text in ".{0,120}", query in "[a-zA-Z0-9%&=,@?]{0,60}") {
        let _ = PairingUri::parse(&text);
        let _ = PairingUri::parse(&format!("wc:{TOPIC}@2?{query}"));
    }
}
