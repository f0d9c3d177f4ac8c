//! A signed sign-in (CAIP-74) and the text that was signed (CAIP-122, in the layout of EIP-4361).

use crate::client::AuthPayload;
use crate::namespaces::{SessionNamespace, SessionNamespaces};
use crate::recap::Recap;
use crate::search::split_last;
use portico_json::Json;

const ISSUER: &str = "did:pkh:";
const EVENTS: [&str; 2] = ["chainChanged", "accountsChanged"];

/// A sign-in with its signature.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Cacao {
    /// In which form it was signed.
    pub h: CacaoHeader,
    /// What was signed.
    pub p: CacaoPayload,
    /// The signature.
    pub s: CacaoSignature,
}

/// In which form a sign-in was signed.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct CacaoHeader {
    /// `caip122`, or `eip4361` of older wallets.
    pub t: String,
}

/// What was signed. Times are ISO 8601.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct CacaoPayload {
    /// `did:pkh:` and a CAIP-10 account.
    pub iss: String,
    /// Host of the page.
    pub domain: String,
    /// URI of what is signed in to.
    pub aud: String,
    /// Always `1`.
    pub version: String,
    /// At least 8 letters and digits.
    pub nonce: String,
    /// When it was asked for.
    pub iat: String,
    /// From when on it holds.
    pub nbf: Option<String>,
    /// Until when it holds.
    pub exp: Option<String>,
    /// In words, with what the ReCap authorises.
    pub statement: Option<String>,
    /// Of the dapp.
    pub request_id: Option<String>,
    /// URIs; the last may be a ReCap.
    pub resources: Option<Vec<String>>,
}

/// A signature.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct CacaoSignature {
    /// `eip191`, `eip1271` or `eip6492`.
    pub t: String,
    /// Hex.
    pub s: String,
    /// Whatever the form needs besides.
    pub m: Option<String>,
}

/// The chain and the address of an issuer, `did:pkh:eip155:1:0x…`.
pub fn account_of(issuer: &str) -> Option<(&str, &str)> {
    let account = issuer.strip_prefix(ISSUER)?;
    let (chain, address) = split_last(account)?;
    (is_chain(chain) && !address.is_empty()).then_some((chain, address))
}

fn is_chain(chain: &str) -> bool {
    chain.split_once(':').is_some_and(|(namespace, reference)| {
        !namespace.is_empty() && !reference.is_empty() && !reference.contains(':')
    })
}

/// The text that an account signs. `None` where the issuer names no account.
pub fn message(payload: &AuthPayload, issuer: &str) -> Option<String> {
    Some(text(&payload_for(payload, issuer), account_of(issuer)?))
}

/// Cuts down what a signature of the issuer would authorise to what a wallet offers. Other wallets name the chains, which dapps may leave out.
pub fn cut_down(
    asked: &mut AuthPayload,
    issuer: &str,
    has_chain: impl Fn(&String) -> bool,
    has_method: impl Fn(&String) -> bool,
) {
    let Some((namespace, _)) = account_of(issuer).and_then(|(chain, _)| chain.split_once(':')) else { return };
    let Some(resources) = &mut asked.resources else { return };
    let Some(mut recap) = Recap::read(resources, namespace) else { return };
    if recap.chains.is_empty() {
        recap.chains.clone_from(&asked.chains);
    }
    recap.chains.retain(has_chain);
    recap.methods.retain(has_method);
    resources.pop();
    if !recap.methods.is_empty() {
        resources.push(recap.resource());
    } else if resources.is_empty() {
        asked.resources = None;
    }
}

/// What an account signs: the statement also says what the ReCap authorises.
pub fn payload_for(asked: &AuthPayload, issuer: &str) -> CacaoPayload {
    let namespace =
        account_of(issuer).and_then(|(chain, _)| chain.split_once(':')).map_or("", |(namespace, _)| namespace);
    let recap = asked.resources.as_deref().and_then(|resources| Recap::read(resources, namespace));
    let plain = asked.statement.as_deref();
    CacaoPayload {
        iss: issuer.into(),
        domain: asked.domain.clone(),
        aud: asked.aud.clone(),
        version: asked.version.clone(),
        nonce: asked.nonce.clone(),
        iat: asked.iat.clone(),
        nbf: asked.nbf.clone(),
        exp: asked.exp.clone(),
        statement: recap.map(|recap| recap.statement(plain)).or(asked.statement.clone()),
        request_id: asked.request_id.clone(),
        resources: asked.resources.clone(),
    }
}

fn text(payload: &CacaoPayload, (chain, address): (&str, &str)) -> String {
    let (namespace, reference) = chain.split_once(':').unwrap_or_default();
    let kind = match namespace {
        "solana" => "Solana",
        "bip122" => "Bitcoin",
        "polkadot" => "Polkadot",
        _ => "Ethereum",
    };
    let mut out = [&payload.domain, " wants you to sign in with your ", kind, " account:\n", address, "\n\n"].concat();
    if let Some(statement) = payload.statement.as_deref().filter(|statement| !statement.is_empty()) {
        out.push_str(statement);
        out.push_str("\n\n");
    }
    let mut line = |name: &str, value: &str| {
        out.push_str(name);
        out.push_str(": ");
        out.push_str(value);
        out.push('\n');
    };
    line("URI", &payload.aud);
    line("Version", &payload.version);
    line("Chain ID", reference);
    line("Nonce", &payload.nonce);
    line("Issued At", &payload.iat);
    for (name, value) in
        [("Expiration Time", &payload.exp), ("Not Before", &payload.nbf), ("Request ID", &payload.request_id)]
    {
        if let Some(value) = value {
            line(name, value);
        }
    }
    if let Some(resources) = &payload.resources {
        out.push_str("Resources:\n");
        for resource in resources {
            out.push_str("- ");
            out.push_str(resource);
            out.push('\n');
        }
    }
    out.pop();
    out
}

/// Why a signed sign-in is not the one that was asked for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum CacaoFault {
    /// It names no account of a chain that was asked for.
    Issuer,
    /// It is for another page, another time or another purpose: each field as it was asked for, or it was not.
    Changed,
    /// It has no signature of a known form.
    Signature,
}

impl Cacao {
    /// Whether it is what was asked for: all but the signature itself, which whoever relies on it has to verify.
    pub fn check(&self, asked: &AuthPayload) -> Result<(), CacaoFault> {
        let (chain, _) = account_of(&self.p.iss).ok_or(CacaoFault::Issuer)?;
        if !asked.chains.iter().any(|asked| asked == chain) {
            return Err(CacaoFault::Issuer);
        }
        let own = payload_for(asked, &self.p.iss);
        let same = self.p.domain == own.domain
            && self.p.aud == own.aud
            && self.p.nonce == own.nonce
            && self.p.version == own.version
            && self.p.iat == own.iat
            && self.p.exp == own.exp
            && self.p.nbf == own.nbf
            && self.p.request_id == own.request_id;
        if !same || !matches!(self.h.t.as_str(), "caip122" | "eip4361") {
            return Err(CacaoFault::Changed);
        }
        // A wallet may allow less than was asked for: its own, smaller ReCap takes the place of ours. It may not allow more.
        if self.recap().is_some_and(|recap| !allows_less(asked, &recap)) {
            return Err(CacaoFault::Changed);
        }
        let known = matches!(self.s.t.as_str(), "eip191" | "eip1271" | "eip6492");
        if known && !self.s.s.is_empty() { Ok(()) } else { Err(CacaoFault::Signature) }
    }

    /// The text that its account has to have signed.
    pub fn message(&self) -> Option<String> {
        Some(text(&self.p, account_of(&self.p.iss)?))
    }

    fn recap(&self) -> Option<Recap> {
        let (chain, _) = account_of(&self.p.iss)?;
        Recap::read(self.p.resources.as_deref()?, chain.split_once(':')?.0)
    }
}

fn allows_less(asked: &AuthPayload, recap: &Recap) -> bool {
    let ours = asked.resources.as_deref().and_then(|resources| Recap::read(resources, &recap.namespace));
    ours.is_some_and(|ours| {
        recap.methods.iter().all(|method| ours.methods.contains(method))
            && recap.chains.iter().all(|chain| ours.chains.contains(chain) || asked.chains.contains(chain))
    })
}

/// What signed sign-ins allow as a session: their accounts, also on the other chains that their ReCap names, and its methods.
pub fn namespaces(cacaos: &[Cacao]) -> SessionNamespaces {
    let mut all = SessionNamespaces::default();
    for cacao in cacaos {
        let Some((chain, address)) = account_of(&cacao.p.iss) else { continue };
        let Some((namespace, _)) = chain.split_once(':') else { continue };
        let recap = cacao.recap().unwrap_or_default();
        let allowed: &mut SessionNamespace = all.or_default(namespace.into());
        add(&mut allowed.methods, &recap.methods);
        add(&mut allowed.events, &EVENTS.map(String::from));
        let own = [String::from(chain)];
        for chain in own.iter().chain(&recap.chains) {
            if chain.split_once(':').is_some_and(|(other, _)| other == namespace) {
                add(&mut allowed.accounts, &[[chain, ":", address].concat()]);
                add(allowed.chains.get_or_insert_default(), std::slice::from_ref(chain));
            }
        }
    }
    all
}

fn add(list: &mut Vec<String>, more: &[String]) {
    for text in more {
        if !list.contains(text) {
            list.push(text.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ISS: &str = "did:pkh:eip155:1:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

    fn asked() -> AuthPayload {
        AuthPayload {
            chains: vec!["eip155:1".into(), "eip155:10".into()],
            domain: "shop.example".into(),
            aud: "https://shop.example/login".into(),
            nonce: "32891756".into(),
            version: "1".into(),
            iat: "2026-11-21T12:00:00Z".into(),
            statement: Some("Sign in to the shop.".into()),
            ..AuthPayload::default()
        }
    }

    fn signed(asked: &AuthPayload, issuer: &str) -> Cacao {
        Cacao {
            h: CacaoHeader { t: "caip122".into() },
            p: payload_for(asked, issuer),
            s: CacaoSignature { t: "eip191".into(), s: "0x00".into(), m: None },
        }
    }

    #[test]
    fn the_message_has_the_layout_of_eip_4361() {
        let expected = "shop.example wants you to sign in with your Ethereum account:\n\
            0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266\n\nSign in to the shop.\n\nURI: https://shop.example/login\n\
            Version: 1\nChain ID: 1\nNonce: 32891756\nIssued At: 2026-11-21T12:00:00Z";
        assert_eq!(message(&asked(), ISS).as_deref(), Some(expected));
    }

    #[test]
    fn the_message_tells_times_requests_resources_and_what_is_authorised() {
        let recap = Recap::new("eip155", &["personal_sign".into()], &["eip155:1".into()]);
        let asked = AuthPayload {
            exp: Some("2026-11-21T13:00:00Z".into()),
            nbf: Some("2026-11-21T11:00:00Z".into()),
            request_id: Some("7".into()),
            resources: Some(vec!["https://shop.example/terms".into(), recap.resource()]),
            ..asked()
        };
        let text = message(&asked, ISS).unwrap();
        let end = ["\nIssued At: 2026-11-21T12:00:00Z\nExpiration Time: 2026-11-21T13:00:00Z\nNot Before: 2026-11-21T11:00:00Z\n\
            Request ID: 7\nResources:\n- https://shop.example/terms\n- ", &recap.resource()]
        .concat();
        assert!(text.ends_with(&end), "{text}");
        assert!(text.contains("Sign in to the shop. I further authorize the stated URI"), "{text}");
    }

    #[test]
    fn what_was_asked_for_is_accepted_and_anything_changed_is_not() {
        let asked = asked();
        assert_eq!(signed(&asked, ISS).check(&asked), Ok(()));
        assert_eq!(signed(&asked, "did:pkh:eip155:137:0x00").check(&asked), Err(CacaoFault::Issuer));
        for issuer in ["", "did:pkh:", "did:pkh:eip155:1", "did:key:z6Mk", "did:pkh:eip155:1:"] {
            assert_eq!(signed(&asked, issuer).check(&asked), Err(CacaoFault::Issuer), "{issuer}");
        }
        let changes: [fn(&mut Cacao); 6] = [
            |cacao| cacao.p.domain = "thief.example".into(),
            |cacao| cacao.p.nonce = "99999999".into(),
            |cacao| cacao.p.aud = "https://thief.example".into(),
            |cacao| cacao.p.exp = Some("2099-01-01T00:00:00Z".into()),
            |cacao| cacao.h.t = "other".into(),
            |cacao| {
                cacao.p.resources =
                    Some(vec![Recap::new("eip155", &["eth_sign".into()], &["eip155:1".into()]).resource()]);
            },
        ];
        for change in changes {
            let mut cacao = signed(&asked, ISS);
            change(&mut cacao);
            assert_eq!(cacao.check(&asked), Err(CacaoFault::Changed));
        }
        let mut unsigned = signed(&asked, ISS);
        unsigned.s.s.clear();
        assert_eq!(unsigned.check(&asked), Err(CacaoFault::Signature));
    }

    #[test]
    fn one_signature_is_a_session_on_every_chain_that_its_recap_names() {
        let recap = Recap::new(
            "eip155",
            &["personal_sign".into(), "eth_sendTransaction".into()],
            &["eip155:1".into(), "eip155:10".into(), "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp".into()],
        );
        let asked = AuthPayload { resources: Some(vec![recap.resource()]), ..asked() };
        let all = namespaces(&[signed(&asked, ISS)]);
        let allowed = all.get("eip155").unwrap();
        let address = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
        assert_eq!(allowed.accounts, [["eip155:1:", address].concat(), ["eip155:10:", address].concat()]);
        assert_eq!(allowed.methods, ["eth_sendTransaction", "personal_sign"]);
        assert_eq!(allowed.chains.as_deref(), Some(&["eip155:1".into(), "eip155:10".into()][..]));
        assert_eq!(all.len(), 1);
    }
}
