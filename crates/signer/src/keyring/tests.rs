use super::*;
use crate::vault::{RELEASE_INFO, hpke, release_data};
use portico_json::Value;

const USER: &str = "AAECAwQFBgcICQoLDA0ODw";
const OTHER_USER: &str = "AQECAwQFBgcICQoLDA0ODw";

/// One browser of a visitor, and the server that releases shares to it.
struct Browser {
    keyring: Keyring,
    user: &'static str,
    thumbprint: String,
    secret: String,
    share: [u8; 32],
    recovery: Option<[u8; 32]>,
    /// Seed of the random bytes.
    drawn: u8,
}

impl Browser {
    fn new(number: u8) -> Browser {
        Browser {
            keyring: Keyring::default(),
            user: USER,
            thumbprint: bytes::encode(&[number; 32]),
            secret: bytes::encode(&[number ^ 0x55; 32]),
            share: [number ^ 0xaa; 32],
            recovery: Some([99; 32]),
            drawn: number,
        }
    }

    fn random(&mut self, length: usize) -> String {
        self.drawn = self.drawn.wrapping_add(29);
        let draw = |index: usize| (index * 7 + index / 256) as u8 ^ self.drawn;
        bytes::encode(&(0..length).map(draw).collect::<Vec<u8>>())
    }

    fn ask(&mut self, command: &str) -> Value {
        parse(&self.keyring.command(command)).unwrap()
    }

    /// Makes a key pair, and the release that the server seals to it.
    fn release(&mut self) -> String {
        let random = self.random(32);
        let made = self.ask(&format!(r#"{{"type":"keyPair","random":"{random}"}}"#));
        let key = *bytes::decode_exact(made.get("key").as_str().unwrap()).unwrap();
        let recovery = self.recovery.map_or("null".into(), |key| format!("\"{}\"", bytes::encode(&key)));
        let text = format!(r#"{{"recovery":{recovery},"device":"{}"}}"#, bytes::encode(&self.share));
        let data = release_data(self.user, &self.thumbprint);
        let (enc, sealed) =
            hpke::seal(&key, RELEASE_INFO.as_bytes(), data.as_bytes(), text.as_bytes(), &[self.drawn; 32]).unwrap();
        format!(r#"{{"enc":"{}","ciphertext":"{}"}}"#, bytes::encode(&enc), bytes::encode(&sealed))
    }

    fn device(&self) -> String {
        format!(r#"{{"user":"{}","thumbprint":"{}","secret":"{}"}}"#, self.user, self.thumbprint, self.secret)
    }

    fn create(&mut self) -> Value {
        let (release, device, random) = (self.release(), self.device(), self.random(184));
        let text = format!(r#"{{"type":"create","release":{release},"device":{device},"random":"{random}"}}"#);
        self.ask(&text)
    }

    fn unlock(&mut self, record: &str) -> Value {
        let release = self.release();
        self.unlock_by(record, &release, "null")
    }

    fn unlock_by(&mut self, record: &str, release: &str, kit: &str) -> Value {
        let (device, random) = (self.device(), self.random(40));
        self.ask(&format!(
            r#"{{"type":"unlock","release":{release},"record":{record},"device":{device},"kit":{kit},"random":"{random}"}}"#
        ))
    }

    fn sign(&mut self, address: &str) -> Value {
        self.ask(&format!(
            r#"{{"type":"sign","request":{{"method":"personal_sign","params":["0x68656c6c6f","{address}"]}}}}"#
        ))
    }
}

/// Record of a created wallet, as the server stores it.
fn record_of(created: &Value) -> String {
    assert_eq!(created.get("type").as_str(), Some("created"), "{created:?}");
    let wallet = to_text(created.get("wallet"));
    [wallet.strip_suffix('}').unwrap(), r#","frozen":false}"#].concat()
}

fn reason(answer: &Value) -> (&str, &str) {
    (answer.get("reason").as_str().unwrap_or_default(), answer.get("part").as_str().unwrap_or_default())
}

fn address(created: &Value) -> String {
    created.get("wallet").get("addresses").get("eip155").as_str().unwrap().into()
}

#[test]
fn a_new_wallet_signs_and_its_own_browser_unlocks_it_without_the_recovery_share() {
    let mut browser = Browser::new(1);
    let created = browser.create();
    let address = address(&created);
    let signature = browser.sign(&address);
    assert_eq!(signature.get("type").as_str(), Some("signed"), "{signature:?}");
    assert_eq!(signature.get("result").as_str().unwrap().len(), 132);
    assert_eq!(browser.ask(r#"{"type":"lock"}"#).get("type").as_str(), Some("locked"));
    assert_eq!(reason(&browser.sign(&address)).0, "locked");
    browser.recovery = None;
    let unlocked = browser.unlock(&record_of(&created));
    assert_eq!(unlocked.get("type").as_str(), Some("unlocked"), "{unlocked:?}");
    assert!(unlocked.get("deviceSlot").is_null());
    assert_eq!(unlocked.get("addresses"), created.get("wallet").get("addresses"));
    assert_eq!(browser.sign(&address), signature);
}

#[test]
fn the_words_and_the_addresses_are_those_of_the_entropy() {
    let mut browser = Browser::new(1);
    let created = browser.create();
    let told = browser.ask(r#"{"type":"export"}"#);
    let entropy = Entropy::from_words(told.get("words").as_str().unwrap()).unwrap();
    let keys = Keys::of(&entropy.seed()).unwrap();
    assert_eq!(to_text(created.get("wallet").get("addresses")), to_text(&keys.addresses()));
}

#[test]
fn another_browser_unlocks_by_the_recovery_share_and_then_by_its_new_slot() {
    let created = Browser::new(1).create();
    let record = record_of(&created);
    let mut other = Browser::new(2);
    let unlocked = other.unlock(&record);
    let slot = unlocked.get("deviceSlot");
    assert_eq!(slot.get("device").as_str(), Some(other.thumbprint.as_str()));
    let stored = record.replacen(r#""slots":["#, &[r#""slots":["#, &to_text(slot), ","].concat(), 1);
    other.recovery = None;
    assert!(other.unlock(&stored).get("deviceSlot").is_null());
    assert_eq!(reason(&other.unlock(&record)), ("slots", ""));
}

#[test]
fn a_printed_code_unlocks_where_the_recovery_slot_was_removed() {
    let mut browser = Browser::new(1);
    let created = browser.create();
    let random = browser.random(56);
    let kit = browser.ask(&format!(r#"{{"type":"kit","random":"{random}"}}"#));
    let record = record_of(&created)
        .replacen(r#""slots":["#, &[r#""slots":["#, &to_text(kit.get("slot")), ","].concat(), 1)
        .replace(r#""recovery","wrapped""#, r#""passkey","wrapped""#);
    let mut other = Browser::new(2);
    assert_eq!(reason(&other.unlock(&record)), ("slots", ""));
    let release = other.release();
    let unlocked = other.unlock_by(&record, &release, &to_text(kit.get("code")));
    assert_eq!(unlocked.get("type").as_str(), Some("unlocked"), "{unlocked:?}");
    let release = other.release();
    assert_eq!(reason(&other.unlock_by(&record, &release, "\"0000\"")), ("command", "kit"));
}

/// Record of a created wallet with one more slot, and without the recovery slot.
fn without_recovery(created: &Value, slot: &Value) -> String {
    let device = created.get("wallet").get("slots").as_list().unwrap()[1].clone();
    let all = to_text(created.get("wallet").get("slots"));
    record_of(created).replace(&all, &["[", &to_text(&device), ",", &to_text(slot), "]"].concat())
}

#[test]
fn a_passkey_unlocks_by_the_output_of_its_prf_alone() {
    let mut browser = Browser::new(1);
    let created = browser.create();
    let (output, random) = (bytes::encode(&[3; 32]), browser.random(40));
    let hint = r#"{\"credential\":\"AA\",\"salt\":\"AA\"}"#;
    let made = browser.ask(&format!(r#"{{"type":"passkey","output":"{output}","hint":"{hint}","random":"{random}"}}"#));
    assert_eq!(made.get("slot").get("kind").as_str(), Some("passkey"), "{made:?}");
    assert_eq!(made.get("slot").get("hint").as_str(), Some(r#"{"credential":"AA","salt":"AA"}"#));
    let record = without_recovery(&created, made.get("slot"));
    let mut other = Browser::new(2);
    let mut by = |output: &str| {
        let (release, device, random) = (other.release(), other.device(), other.random(40));
        other.ask(&format!(
            r#"{{"type":"unlock","release":{release},"record":{record},"device":{device},"passkey":"{output}","random":"{random}"}}"#
        ))
    };
    assert_eq!(reason(&by(&bytes::encode(&[4; 32]))), ("slots", ""));
    assert_eq!(reason(&by("AAAA")), ("command", "passkey"));
    let unlocked = by(&output);
    assert_eq!(unlocked.get("addresses"), created.get("wallet").get("addresses"), "{unlocked:?}");
    assert_eq!(unlocked.get("deviceSlot").get("kind").as_str(), Some("device"));
}

#[test]
fn what_the_visitor_proves_opens_alone_although_the_device_and_the_recovery_share_could() {
    let mut browser = Browser::new(1);
    let created = browser.create();
    let (output, random) = (bytes::encode(&[3; 32]), browser.random(40));
    let made = browser.ask(&format!(r#"{{"type":"passkey","output":"{output}","hint":"{{}}","random":"{random}"}}"#));
    let slots = to_text(created.get("wallet").get("slots"));
    let more = [slots.trim_end_matches(']'), ",", &to_text(made.get("slot")), "]"].concat();
    let record = record_of(&created).replace(&slots, &more);
    let mut by = |proof: &str| {
        let (release, device, random) = (browser.release(), browser.device(), browser.random(40));
        browser.ask(&format!(
            r#"{{"type":"unlock","release":{release},"record":{record},"device":{device},{proof}"random":"{random}"}}"#
        ))
    };
    assert_eq!(by("").get("type").as_str(), Some("unlocked"));
    assert_eq!(reason(&by(r#""only":true,"#)), ("slots", ""));
    let other = bytes::encode(&[4; 32]);
    assert_eq!(reason(&by(&format!(r#""only":true,"passkey":"{other}","#))), ("slots", ""));
    let unlocked = by(&format!(r#""only":true,"passkey":"{output}","#));
    assert_eq!(unlocked.get("addresses"), created.get("wallet").get("addresses"), "{unlocked:?}");
    assert!(unlocked.get("deviceSlot").is_null(), "the device keeps its slot");
}

#[test]
fn a_password_unlocks_by_its_export_key_alone() {
    let mut browser = Browser::new(1);
    let created = browser.create();
    let (key, random) = (bytes::encode(&[3; 64]), browser.random(40));
    let command = |key: &str| format!(r#"{{"type":"password","key":"{key}","random":"{random}"}}"#);
    assert_eq!(reason(&browser.ask(&command("AAAA"))), ("command", "key"));
    let made = browser.ask(&command(&key));
    assert_eq!(made.get("slot").get("kind").as_str(), Some("password"), "{made:?}");
    assert!(made.get("slot").get("hint").is_null());
    let record = without_recovery(&created, made.get("slot"));
    let mut other = Browser::new(2);
    let mut by = |what: &str, key: &str| {
        let (release, device, random) = (other.release(), other.device(), other.random(40));
        other.ask(&format!(
            r#"{{"type":"unlock","release":{release},"record":{record},"device":{device},"{what}":"{key}","random":"{random}"}}"#
        ))
    };
    assert_eq!(reason(&by("password", &bytes::encode(&[4; 64]))), ("slots", ""));
    assert_eq!(reason(&by("password", "AAAA")), ("command", "password"));
    // The key of one kind is none of another.
    assert_eq!(reason(&by("passkey", &bytes::encode(&[3; 32]))), ("slots", ""));
    let unlocked = by("password", &key);
    assert_eq!(unlocked.get("addresses"), created.get("wallet").get("addresses"), "{unlocked:?}");
    assert_eq!(unlocked.get("deviceSlot").get("kind").as_str(), Some("device"));
}

#[test]
fn a_recovery_slot_that_is_put_back_opens_by_its_new_key_alone() {
    let mut browser = Browser::new(1);
    let created = browser.create();
    browser.recovery = Some([77; 32]);
    let (release, device, random) = (browser.release(), browser.device(), browser.random(40));
    let command = format!(r#"{{"type":"recovery","release":{release},"device":{device},"random":"{random}"}}"#);
    let made = browser.ask(&command);
    assert_eq!(made.get("slot").get("kind").as_str(), Some("recovery"), "{made:?}");
    assert_eq!(reason(&browser.ask(&command)), ("keyPair", ""));
    let record = without_recovery(&created, made.get("slot"));
    let mut other = Browser::new(2);
    assert_eq!(reason(&other.unlock(&record)), ("slots", ""), "the key of the slot that was removed");
    other.recovery = Some([77; 32]);
    assert_eq!(other.unlock(&record).get("type").as_str(), Some("unlocked"));
    other.recovery = None;
    let (release, device, random) = (other.release(), other.device(), other.random(40));
    let without = format!(r#"{{"type":"recovery","release":{release},"device":{device},"random":"{random}"}}"#);
    assert_eq!(reason(&other.ask(&without)), ("release", "recovery"));
}

#[test]
fn slots_are_made_and_keys_are_told_of_an_open_wallet_alone() {
    let mut browser = Browser::new(1);
    let (output, random) = (bytes::encode(&[3; 32]), browser.random(40));
    let passkey = format!(r#"{{"type":"passkey","output":"{output}","hint":"","random":"{random}"}}"#);
    let (release, device) = (browser.release(), browser.device());
    let recovery = format!(r#"{{"type":"recovery","release":{release},"device":{device},"random":"{random}"}}"#);
    let (export, random) = (bytes::encode(&[3; 64]), browser.random(40));
    let password = &format!(r#"{{"type":"password","key":"{export}","random":"{random}"}}"#);
    for command in [&passkey, &recovery, password, r#"{"type":"export"}"#] {
        assert_eq!(reason(&browser.ask(command)).0, "locked", "{command}");
    }
}

#[test]
fn a_record_of_other_addresses_another_wallet_or_another_user_is_refused() {
    let mut browser = Browser::new(1);
    let (first, second) = (browser.create(), browser.create());
    let record = record_of(&first);
    for namespace in ["eip155", "solana", "bip122"] {
        let told = first.get("wallet").get("addresses").get(namespace).as_str().unwrap();
        let lie = record.replace(told, &told.to_uppercase());
        assert_eq!(reason(&browser.unlock(&lie)), ("record", "addresses"), "{namespace}");
    }
    for lie in [record.replace("bip122", "polkadot"), record.replacen(r#""eip155""#, r#""cosmos":"","eip155""#, 1)] {
        assert_eq!(reason(&browser.unlock(&lie)), ("record", "addresses"));
    }
    let (other_id, id) = (second.get("wallet").get("id"), first.get("wallet").get("id"));
    let swapped = record.replace(&to_text(id), &to_text(other_id));
    assert_eq!(reason(&browser.unlock(&swapped)), ("slots", ""));
    let (blob, other_blob) = (first.get("wallet").get("blob"), second.get("wallet").get("blob"));
    let swapped = record.replace(&to_text(blob), &to_text(other_blob));
    assert_eq!(reason(&browser.unlock(&swapped)), ("record", "blob"));
    browser.user = OTHER_USER;
    assert_eq!(reason(&browser.unlock(&record)), ("slots", ""));
    assert_eq!(reason(&browser.sign(&address(&first))).0, "locked");
}

#[test]
fn a_wallet_of_the_server_in_the_place_of_the_remembered_one_is_refused() {
    let mut browser = Browser::new(1);
    let (own, foreign) = (browser.create(), browser.create());
    let mut unlock = |created: &Value, known: &str| {
        let (release, device, random) = (browser.release(), browser.device(), browser.random(40));
        let record = record_of(created);
        let answer = browser.ask(&format!(
            r#"{{"type":"unlock","release":{release},"record":{record},"device":{device},"known":{known},"random":"{random}"}}"#
        ));
        (answer.get("type").as_str().unwrap().to_owned(), answer.get("part").as_str().map(String::from))
    };
    let known = to_text(own.get("wallet").get("addresses"));
    assert_eq!(unlock(&own, &known), ("unlocked".into(), None));
    assert_eq!(unlock(&foreign, "null"), ("unlocked".into(), None));
    assert_eq!(unlock(&foreign, &known), ("refused".into(), Some("known".into())));
}

#[test]
fn a_release_opens_once_and_only_for_its_key_its_user_and_its_device() {
    let mut browser = Browser::new(1);
    let record = record_of(&browser.create());
    let release = browser.release();
    assert_eq!(browser.unlock_by(&record, &release, "null").get("type").as_str(), Some("unlocked"));
    assert_eq!(reason(&browser.unlock_by(&record, &release, "null")), ("keyPair", ""));
    browser.release();
    assert_eq!(reason(&browser.unlock_by(&record, &release, "null")), ("release", "ciphertext"));
    let release = browser.release();
    browser.thumbprint = bytes::encode(&[7; 32]);
    assert_eq!(reason(&browser.unlock_by(&record, &release, "null")), ("release", "ciphertext"));
    let release = browser.release();
    browser.user = OTHER_USER;
    assert_eq!(reason(&browser.unlock_by(&record, &release, "null")), ("release", "ciphertext"));
}

#[test]
fn a_frozen_wallet_and_a_new_one_without_a_recovery_share_are_refused() {
    let mut browser = Browser::new(1);
    let record = record_of(&browser.create()).replace(r#""frozen":false"#, r#""frozen":true"#);
    assert_eq!(reason(&browser.unlock(&record)), ("frozen", ""));
    browser.recovery = None;
    assert_eq!(reason(&browser.create()), ("release", "recovery"));
}

#[test]
fn no_other_account_and_no_other_method_is_signed() {
    let mut browser = Browser::new(1);
    let own = address(&browser.create());
    assert_eq!(reason(&browser.sign("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")), ("account", "address"));
    assert_eq!(reason(&browser.sign(&own[..41])), ("params", "address"));
    for method in ["eth_sign", "eth_signTypedData", "eth_signTypedData_v3", "wallet_sendCalls", "", "personal_sign "] {
        let text = format!(r#"{{"type":"sign","request":{{"method":"{method}","params":["{own}","0x00"]}}}}"#);
        assert_eq!(reason(&browser.ask(&text)), ("method", "method"), "{method}");
    }
    let transaction =
        format!(r#"{{"from":"{own}","to":"{own}","nonce":"0x0","gas":"0x5208","gasPrice":"0x1","chainId":"0x1"}}"#);
    let send = |chain: &str| {
        format!(
            r#"{{"type":"sign","request":{{"method":"eth_sendTransaction","params":[{transaction}],"chainId":{chain}}}}}"#
        )
    };
    assert_eq!(reason(&browser.ask(&send("\"eip155:10\""))), ("chain", "chainId"));
    let signed = browser.ask(&send("\"eip155:1\""));
    assert_eq!(browser.ask(&send("null")), signed);
    assert!(signed.get("result").get("raw").as_str().unwrap().starts_with("0xf8"));
}

#[test]
fn a_text_that_is_no_command_is_refused_and_changes_nothing() {
    let mut browser = Browser::new(1);
    let own = address(&browser.create());
    for text in [
        "",
        "[]",
        r#"{"type":"signHash","hash":"0x00"}"#,
        r#"{"type":"keyPair"}"#,
        r#"{"type":"keyPair","random":"AAAA"}"#,
        r#"{"type":"kit","random":"no bytes"}"#,
    ] {
        assert_eq!(reason(&browser.ask(text)).0, "command", "{text}");
    }
    let zeros = format!(r#"{{"type":"keyPair","random":"{}"}}"#, bytes::encode(&[0; 32]));
    assert_eq!(reason(&browser.ask(&zeros)), ("command", "random"));
    assert_eq!(reason(&browser.ask(&" ".repeat(LONGEST + 1))), ("command", "size"));
    assert_eq!(browser.sign(&own).get("type").as_str(), Some("signed"));
}
