//! Login by Farcaster (FIP-11): the relay brings the visitor's app and this server together, and is believed nothing. Who signed is read from the
//! signature, and whose key that is from the registries on OP Mainnet.

use super::{Identity, LoginFault};
use crate::config;
use crate::source::{fetch, fetch_made};
use alloy_primitives::{Address, Signature, U256, eip191_hash_message, hex, keccak256};
use jiff::Timestamp;
use portico_json::Value;
use reqwest::{Client, Url};
use std::time::Duration;

/// Word of the service.
pub(crate) const FARCASTER: &str = "farcaster";

/// Chain of the registries, which every text names.
const CHAIN: u64 = 10;
/// <https://docs.farcaster.xyz/reference/contracts/deployments>
const ID_REGISTRY: &str = "0x00000000Fc6c5F01Fc30151999387Bb99A9f489b";
const KEY_REGISTRY: &str = "0x00000000Fc1237824fb747aBDE0FF18990E59b7e";
/// State of a key that was added, and type of a key that signs in for its owner (FIP-19).
const ADDED: u64 = 1;
const AUTH_KEY: u64 = 2;

/// Milliseconds by which clocks may differ.
const LEEWAY: i64 = 60_000;
const WAIT: Duration = Duration::from_secs(10);
/// Longest text that is read.
const LONGEST: usize = 4096;
/// Longest name that is kept.
const LONGEST_NAME: usize = 64;

/// Relay and node.
#[derive(Debug)]
pub(crate) struct Farcaster {
    relay: Url,
    node: Url,
}

/// A conversation with the visitor's app.
pub(crate) struct Channel {
    /// Secret with which its state is asked for.
    pub(crate) token: String,
    /// Address that the visitor's app opens.
    pub(crate) url: String,
}

/// Values that the signed text has to have.
pub(crate) struct Page<'a> {
    /// Origin of the host page.
    pub(crate) uri: &'a str,
    /// Letters and digits, bound to the login and the device.
    pub(crate) nonce: &'a str,
}

impl Page<'_> {
    /// Host of the page: what the visitor's app shows.
    fn domain(&self) -> &str {
        self.uri.split_once("://").map_or(self.uri, |(_, domain)| domain)
    }
}

/// What a text says, read line by line: one that differs from EIP-4361 is none.
#[derive(Debug, Eq, PartialEq)]
struct Told {
    address: Address,
    fid: u64,
}

impl Farcaster {
    pub(crate) fn configured(config: &config::Farcaster) -> Farcaster {
        Farcaster { relay: config.relay.clone(), node: config.node.clone() }
    }

    fn fault(why: &'static str) -> LoginFault {
        LoginFault::Service(FARCASTER.into(), why)
    }

    fn refused(why: &'static str) -> LoginFault {
        LoginFault::Token(FARCASTER.into(), why)
    }

    fn at(&self, path: &str) -> Result<Url, LoginFault> {
        let base = self.relay.as_str().trim_end_matches('/');
        Url::parse(&[base, path].concat()).map_err(|_| Farcaster::fault("its address is wrong"))
    }

    /// Opens a channel.
    pub(crate) async fn open(&self, client: &Client, page: &Page<'_>) -> Result<Channel, LoginFault> {
        let body = serde_json::json!({
            "siweUri": page.uri, "domain": page.domain(), "nonce": page.nonce, "acceptAuthAddress": true
        });
        let request = client.post(self.at("/v1/channel")?).header("content-type", "application/json");
        let made = fetch_made(request.body(body.to_string()).timeout(WAIT)).await;
        let made = made.map_err(|_| Farcaster::fault("it opens no channel"))?;
        let text = |name: &str| {
            made.get(name).as_str().filter(|text| !text.is_empty() && text.len() <= LONGEST).map(String::from)
        };
        let url = text("url").filter(|url| Url::parse(url).is_ok_and(|url| url.scheme() == "https"));
        match (text("channelToken"), url) {
            (Some(token), Some(url)) => Ok(Channel { token, url }),
            _ => Err(Farcaster::fault("its channel is none")),
        }
    }

    /// Person who signed in a channel; `None` while nobody has.
    pub(crate) async fn person(
        &self,
        client: &Client,
        token: &str,
        page: &Page<'_>,
        now: i64,
    ) -> Result<Option<Identity>, LoginFault> {
        let request = client.get(self.at("/v1/channel/status")?).bearer_auth(token).timeout(WAIT);
        let state = fetch_told(request).await.ok_or_else(|| Farcaster::fault("it didn't give the channel's state"))?;
        if state.get("state").as_str() != Some("completed") {
            return Ok(None);
        }
        let (message, signature) = (state.get("message").as_str(), state.get("signature").as_str());
        let (Some(message), Some(signature)) = (message, signature) else {
            return Err(Farcaster::refused("it brings no signature"));
        };
        let told = read(message, page, now).ok_or_else(|| Farcaster::refused("the text isn't from this login"))?;
        if signer(message, signature) != Some(told.address) {
            return Err(Farcaster::refused("the signature isn't from the address in the text"));
        }
        if !self.owns(client, &told).await? {
            return Err(Farcaster::refused("the address isn't one of this person's"));
        }
        // A name is only shown; the number is who the person is.
        let name = state.get("username").as_str().map(|name| name.chars().take(LONGEST_NAME).collect());
        Ok(Some(Identity { provider: FARCASTER.into(), subject: told.fid.to_string(), name, email: None }))
    }

    /// Whether the address is the custody address of the person, or a key that the person added to sign in with.
    async fn owns(&self, client: &Client, told: &Told) -> Result<bool, LoginFault> {
        let fid = U256::from(told.fid).to_be_bytes::<32>();
        let address = told.address.into_word();
        let owner = self.call(client, ID_REGISTRY, "idOf(address)", &[address.as_slice()]).await?;
        if word(&owner, 0) == Some(U256::from(told.fid)) {
            return Ok(true);
        }
        // keyDataOf(fid, abi.encode(address)): the offset of the bytes, their length, and the bytes.
        let [offset, length] = [64_u64, 32].map(|number| U256::from(number).to_be_bytes::<32>());
        let arguments: [&[u8]; 4] = [&fid, &offset, &length, address.as_slice()];
        let key = self.call(client, KEY_REGISTRY, "keyDataOf(uint256,bytes)", &arguments).await?;
        Ok(word(&key, 0) == Some(U256::from(ADDED)) && word(&key, 1) == Some(U256::from(AUTH_KEY)))
    }

    async fn call(
        &self,
        client: &Client,
        contract: &str,
        function: &str,
        arguments: &[&[u8]],
    ) -> Result<Vec<u8>, LoginFault> {
        let data = [&keccak256(function)[..4], &arguments.concat()].concat();
        let body = serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "eth_call",
            "params": [{"to": contract, "data": hex::encode_prefixed(data)}, "latest"]});
        let request = client.post(self.node.clone()).header("content-type", "application/json").timeout(WAIT);
        let answer = fetch(request.body(body.to_string())).await;
        let answer = answer.map_err(|_| Farcaster::fault("the node of its registries isn't responding"))?;
        let result = answer.get("result").as_str().and_then(|text| hex::decode(text).ok());
        result.ok_or_else(|| Farcaster::fault("the node of its registries knows no result"))
    }
}

/// State of a channel, which a pending one tells with status 202.
async fn fetch_told(request: reqwest::RequestBuilder) -> Option<Value> {
    let mut response = request.send().await.ok().filter(|response| response.status().is_success())?;
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.ok()? {
        if body.len() + chunk.len() > 16 * LONGEST {
            return None;
        }
        body.extend_from_slice(&chunk);
    }
    portico_json::parse(std::str::from_utf8(&body).ok()?).ok()
}

fn word(bytes: &[u8], place: usize) -> Option<U256> {
    bytes.get(place * 32..(place + 1) * 32).map(U256::from_be_slice)
}

/// Signer of a text (EIP-191).
fn signer(message: &str, signature: &str) -> Option<Address> {
    let bytes =
        hex::decode(signature).ok().filter(|bytes| bytes.len() == 65 && matches!(bytes[64], 0 | 1 | 27 | 28))?;
    let signature = Signature::from_raw(&bytes).ok().filter(|signature| signature.normalize_s().is_none())?;
    signature.recover_address_from_prehash(&eip191_hash_message(message)).ok()
}

/// Reads a text of this login: its domain, page, chain and nonce, in the order of EIP-4361, and times that include now.
fn read(message: &str, page: &Page<'_>, now: i64) -> Option<Told> {
    if message.len() > LONGEST {
        return None;
    }
    let mut lines = message.split('\n').peekable();
    let domain = lines.next()?.strip_suffix(" wants you to sign in with your Ethereum account:")?;
    let address = Address::parse_checksummed(lines.next()?, None).ok()?;
    (domain == page.domain() && lines.next()?.is_empty()).then_some(())?;
    // A statement of one line.
    lines.next().filter(|line| !line.is_empty() && line.len() <= 256)?;
    lines.next().filter(|line| line.is_empty())?;
    let mut field = |name: &str| lines.next_if(|line| line.starts_with(name)).map(|line| line[name.len()..].to_owned());
    let fits = field("URI: ")? == page.uri
        && field("Version: ")? == "1"
        && field("Chain ID: ")? == CHAIN.to_string()
        && field("Nonce: ")? == page.nonce;
    field("Issued At: ")?;
    let millis = |text: &str| text.parse::<Timestamp>().ok().map(Timestamp::as_millisecond);
    let ends = field("Expiration Time: ").is_none_or(|end| millis(&end).is_some_and(|end| end > now));
    let begins = field("Not Before: ").is_none_or(|start| millis(&start).is_some_and(|start| start <= now + LEEWAY));
    field("Request ID: ");
    (fits && ends && begins && lines.next()? == "Resources:").then_some(())?;
    let fid = lines.next()?.strip_prefix("- farcaster://fid/")?;
    let number = fid.parse::<u64>().ok().filter(|number| *number > 0 && number.to_string() == fid)?;
    // Further resources are none of a login.
    lines.next().is_none().then_some(Told { address, fid: number })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_700_000_000_000;
    const PAGE: Page<'_> = Page { uri: "https://shop.example.org", nonce: "0123456789abcdef0123456789abcdef" };
    const ADDRESS: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

    fn text() -> String {
        format!(
            "shop.example.org wants you to sign in with your Ethereum account:\n{ADDRESS}\n\nFarcaster Auth\n\n\
             URI: https://shop.example.org\nVersion: 1\nChain ID: 10\nNonce: {}\nIssued At: 2023-11-14T22:13:20.000Z\n\
             Expiration Time: 2023-11-14T22:18:20Z\nNot Before: 2023-11-14T22:13:19Z\nResources:\n- farcaster://fid/42",
            PAGE.nonce
        )
    }

    #[test]
    fn a_text_of_this_login_names_its_address_and_its_person() {
        assert_eq!(read(&text(), &PAGE, NOW), Some(Told { address: ADDRESS.parse().unwrap(), fid: 42 }));
        let without_times =
            text().replace("\nExpiration Time: 2023-11-14T22:18:20Z\nNot Before: 2023-11-14T22:13:19Z", "");
        assert!(read(&without_times, &PAGE, NOW).is_some());
    }

    #[test]
    fn a_text_of_another_page_chain_login_or_time_is_refused() {
        for (right, wrong) in [
            ("shop.example.org wants", "evil.example wants"),
            ("URI: https://shop.example.org", "URI: https://evil.example"),
            ("Version: 1", "Version: 2"),
            ("Chain ID: 10", "Chain ID: 1"),
            (PAGE.nonce, "ffffffffffffffffffffffffffffffff"),
            ("Expiration Time: 2023-11-14T22:18:20Z", "Expiration Time: 2023-11-14T22:13:20Z"),
            ("Expiration Time: 2023-11-14T22:18:20Z", "Expiration Time: tomorrow"),
            ("Not Before: 2023-11-14T22:13:19Z", "Not Before: 2023-11-14T22:18:19Z"),
            ("fid/42", "fid/042"),
            ("fid/42", "fid/0"),
            ("fid/42", "fid/-1"),
            ("fid/42", "fid/42\n- farcaster://fid/43"),
            ("fid/42", "fid/42\n"),
            ("0xf39Fd6e5", "0xf39fd6e5"),
            ("Resources:\n- farcaster://fid/42", "Resources:"),
            ("Farcaster Auth\n\n", ""),
        ] {
            let text = text();
            assert!(text.contains(right), "{right}");
            assert_eq!(read(&text.replacen(right, wrong, 1), &PAGE, NOW), None, "{wrong}");
        }
    }

    #[test]
    fn only_a_plain_signature_has_a_signer() {
        use alloy_primitives::B256;
        use k256::ecdsa::SigningKey;
        let key = SigningKey::from_slice(&[7; 32]).unwrap();
        let hash: B256 = eip191_hash_message("text");
        let (signature, recovery) = key.sign_prehash_recoverable(hash.as_slice()).unwrap();
        let own = Address::from_private_key(&key);
        let bytes = [&signature.to_bytes()[..], &[27 + recovery.to_byte()]].concat();
        assert_eq!(signer("text", &hex::encode_prefixed(&bytes)), Some(own));
        assert_ne!(signer("other text", &hex::encode_prefixed(&bytes)), Some(own));
        for wrong in [
            "",
            "0x",
            "0x00",
            &hex::encode_prefixed(&bytes[..64]),
            &hex::encode_prefixed([&bytes[..64], &[29]].concat()),
        ] {
            assert_eq!(signer("text", wrong), None, "{wrong}");
        }
    }
}
