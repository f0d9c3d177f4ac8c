//! Signed sign-in (CAIP-74) and the text that the account signed (CAIP-122, in the layout of EIP-4361).

use crate::client::AuthPayload;
use crate::namespaces::{SessionNamespace, SessionNamespaces};
use crate::recap::{Recap, URN};
use crate::search::split_last;
use portico_json::Json;

const ISSUER: &str = "did:pkh:";
const EVENTS: [&str; 2] = ["chainChanged", "accountsChanged"];

/// A sign-in with its signature.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Cacao {
    /// Format of the signed message.
    pub h: CacaoHeader,
    /// Signed fields.
    pub p: CacaoPayload,
    /// Signature of the account.
    pub s: CacaoSignature,
}

/// Format of the signed message.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct CacaoHeader {
    /// `caip122`, or `eip4361` from older wallets.
    pub t: String,
}

/// Signed fields of a sign-in. Times are ISO 8601.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct CacaoPayload {
    /// Account that signs: `did:pkh:` and a CAIP-10 account.
    pub iss: String,
    /// Host of the page.
    pub domain: String,
    /// URI of the resource to sign in to.
    pub aud: String,
    /// Version of the message, always `1`.
    pub version: String,
    /// Nonce of at least 8 letters and digits.
    pub nonce: String,
    /// Time of the request.
    pub iat: String,
    /// Start of validity.
    pub nbf: Option<String>,
    /// End of validity.
    pub exp: Option<String>,
    /// Text for the visitor, followed by the statement of the ReCap.
    pub statement: Option<String>,
    /// Request id that the dapp chose.
    pub request_id: Option<String>,
    /// URIs; the last may be a ReCap.
    pub resources: Option<Vec<String>>,
}

/// Signature of a sign-in.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct CacaoSignature {
    /// Kind of signature: `eip191`, `eip1271` or `eip6492`.
    pub t: String,
    /// Signature in hex.
    pub s: String,
    /// Additional data that the kind of signature needs.
    pub m: Option<String>,
}

/// Chain and address of an issuer such as `did:pkh:eip155:1:0x…`.
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

/// Text that the account signs. `None` if the issuer names no account.
pub fn message(payload: &AuthPayload, issuer: &str) -> Option<String> {
    Some(text(&payload_for(payload, issuer), account_of(issuer)?))
}

/// Reduces the ReCap of a request to the chains and methods that a wallet offers. A ReCap without chains, which dapps may send, gets the
/// requested chains, as in other wallets.
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

/// Fields that an account signs. The statement includes that of the ReCap.
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

/// Reason why a signed sign-in does not match its request.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum CacaoFault {
    /// The issuer is not an account on a requested chain.
    Issuer,
    /// A field differs from the request, the format is unknown, or the ReCap allows more than requested.
    Changed,
    /// The signature is empty or of an unknown kind.
    Signature,
}

impl Cacao {
    /// Checks the fields and the ReCap against the request. Does not verify the signature: whoever relies on it has to.
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
            && self.p.request_id == own.request_id
            && [&asked.statement, &self.signed_statement(asked)].contains(&&self.p.statement)
            && without_recap(&self.p.resources) == without_recap(&asked.resources);
        if !same || !matches!(self.h.t.as_str(), "caip122" | "eip4361") {
            return Err(CacaoFault::Changed);
        }
        // A wallet may allow less than requested and replace our ReCap by a smaller one. It may not allow more.
        if self.recap().is_some_and(|recap| !allows_less(asked, &recap)) {
            return Err(CacaoFault::Changed);
        }
        let known = matches!(self.s.t.as_str(), "eip191" | "eip1271" | "eip6492");
        if known && !self.s.s.is_empty() { Ok(()) } else { Err(CacaoFault::Signature) }
    }

    /// Text that the account must have signed.
    pub fn message(&self, asked: &AuthPayload) -> Option<String> {
        let signed = CacaoPayload { statement: self.signed_statement(asked), ..self.p.clone() };
        Some(text(&signed, account_of(&self.p.iss)?))
    }

    /// Statement of the signed text, which names the rights of the ReCap. Some wallets leave these out of their answer's statement.
    fn signed_statement(&self, asked: &AuthPayload) -> Option<String> {
        let plain = &asked.statement;
        self.recap().map(|recap| recap.statement(plain.as_deref())).or_else(|| plain.clone())
    }

    fn recap(&self) -> Option<Recap> {
        let (chain, _) = account_of(&self.p.iss)?;
        Recap::read(self.p.resources.as_deref()?, chain.split_once(':')?.0)
    }
}

/// Resources other than a ReCap, which is the last one.
fn without_recap(resources: &Option<Vec<String>>) -> &[String] {
    match resources.as_deref().unwrap_or_default() {
        [others @ .., last] if last.starts_with(URN) => others,
        all => all,
    }
}

fn allows_less(asked: &AuthPayload, recap: &Recap) -> bool {
    let ours = asked.resources.as_deref().and_then(|resources| Recap::read(resources, &recap.namespace));
    ours.is_some_and(|ours| {
        recap.methods.iter().all(|method| ours.methods.contains(method))
            && recap.chains.iter().all(|chain| ours.chains.contains(chain) || asked.chains.contains(chain))
    })
}

/// Session namespaces that signed sign-ins authorise: each account, also on the other chains of its ReCap, with the methods of the ReCap.
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
        let changes: [fn(&mut Cacao); 9] = [
            |cacao| cacao.p.statement = Some("Give everything away.".into()),
            |cacao| cacao.p.statement = None,
            |cacao| cacao.p.resources = Some(vec!["https://thief.example".into()]),
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
    fn the_signed_text_names_the_rights_even_if_the_answer_leaves_them_out() {
        let recap = Recap::new("eip155", &["personal_sign".into()], &["eip155:1".into()]);
        let resources = vec!["https://shop.example/terms".into(), recap.resource()];
        let asked = AuthPayload { resources: Some(resources), ..asked() };
        let mut cacao = signed(&asked, ISS);
        assert_eq!(cacao.message(&asked), message(&asked, ISS));
        cacao.p.statement.clone_from(&asked.statement);
        assert_eq!(cacao.check(&asked), Ok(()));
        assert_eq!(cacao.message(&asked), message(&asked, ISS));
        cacao.p.resources = Some(vec!["https://shop.example/terms".into()]);
        assert_eq!(cacao.check(&asked), Ok(()), "a wallet may grant no rights");
        assert!(!cacao.message(&asked).unwrap().contains("authorize"));
        cacao.p.resources = Some(vec![recap.resource()]);
        assert_eq!(cacao.check(&asked), Err(CacaoFault::Changed), "the terms are missing");
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
