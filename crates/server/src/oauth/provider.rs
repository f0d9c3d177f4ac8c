//! The services at which visitors log in: those that this server knows by name (spec 3.28), and any other OpenID provider.

use super::profile::Form;
use super::{KeySet, LoginFault, Start, encode};
use crate::config::{Secret, Social, SocialSecret, apple_pair};
use crate::outbound::NoTrust;
use crate::source::{Fault, fetch};
use portico_json::Value;
use reqwest::{Client, Url};
use ring::rand::SystemRandom;
use ring::signature::EcdsaKeyPair;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OnceCell;

/// Time limit of a request to a service.
pub(super) const WAIT: Duration = Duration::from_secs(10);
/// Seconds for which a client secret of Apple's is good.
const SECRET_LIFE: i64 = 300;

/// All services, by their words.
pub(crate) type Services = BTreeMap<String, Provider>;

/// A service with this server's account there.
pub(crate) struct Provider {
    /// "google"
    pub(super) word: String,
    pub(super) client_id: String,
    pub(super) secret: ClientSecret,
    place: Place,
    /// Endpoints, once they are known.
    found: OnceCell<Endpoints>,
}

/// Where the endpoints are written.
enum Place {
    Known(&'static Known),
    /// Address of a provider with a discovery document.
    Discovered(Url),
}

/// How this server proves to a service who it is.
pub(super) enum ClientSecret {
    Text(Secret),
    Apple(Arc<AppleKey>),
}

/// Key of Apple's developers, which signs a secret for each request
/// (<https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret>).
pub(crate) struct AppleKey {
    pub(crate) team: String,
    pub(crate) id: String,
    pub(crate) pair: EcdsaKeyPair,
}

/// Endpoints of a service.
pub(super) struct Endpoints {
    /// Issuer of its ID tokens; `None` where it issues none.
    pub(super) issuer: Option<String>,
    pub(super) authorize: Url,
    pub(super) token: Url,
    /// Keys of its ID tokens.
    pub(super) keys: Option<KeySet>,
    /// Address of a person's profile, where there is no ID token.
    pub(super) profile: Option<Url>,
    pub(super) form: Form,
    scope: &'static str,
    /// Whether the service posts the code as a form: Apple, when it is asked for a name or an address.
    posts: bool,
}

/// Endpoints of a service as its documentation gives them.
struct Known {
    word: &'static str,
    issuer: Option<&'static str>,
    authorize: &'static str,
    token: &'static str,
    keys: Option<&'static str>,
    profile: Option<&'static str>,
    form: Form,
    scope: &'static str,
    posts: bool,
}

const KNOWN: [Known; 6] = [
    // https://developers.google.com/identity/openid-connect/openid-connect
    Known {
        word: "google",
        issuer: Some("https://accounts.google.com"),
        authorize: "https://accounts.google.com/o/oauth2/v2/auth",
        token: "https://oauth2.googleapis.com/token",
        keys: Some("https://www.googleapis.com/oauth2/v3/certs"),
        profile: None,
        form: Form::Claims,
        scope: "openid email profile",
        posts: false,
    },
    // https://developer.apple.com/documentation/signinwithapplerestapi
    Known {
        word: "apple",
        issuer: Some("https://appleid.apple.com"),
        authorize: "https://appleid.apple.com/auth/authorize",
        token: "https://appleid.apple.com/auth/token",
        keys: Some("https://appleid.apple.com/auth/keys"),
        profile: None,
        form: Form::Claims,
        scope: "openid email name",
        posts: true,
    },
    // https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
    Known {
        word: "github",
        issuer: None,
        authorize: "https://github.com/login/oauth/authorize",
        token: "https://github.com/login/oauth/access_token",
        keys: None,
        profile: Some("https://api.github.com/user"),
        form: Form::GitHub,
        scope: "read:user user:email",
        posts: false,
    },
    // https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow
    Known {
        word: "facebook",
        issuer: None,
        authorize: "https://www.facebook.com/v21.0/dialog/oauth",
        token: "https://graph.facebook.com/v21.0/oauth/access_token",
        keys: None,
        profile: Some("https://graph.facebook.com/v21.0/me?fields=id,name"),
        form: Form::Facebook,
        scope: "public_profile",
        posts: false,
    },
    // https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code
    Known {
        word: "x",
        issuer: None,
        authorize: "https://x.com/i/oauth2/authorize",
        token: "https://api.x.com/2/oauth2/token",
        keys: None,
        profile: Some("https://api.x.com/2/users/me"),
        form: Form::X,
        scope: "users.read tweet.read",
        posts: false,
    },
    // https://discord.com/developers/docs/topics/oauth2
    Known {
        word: "discord",
        issuer: None,
        authorize: "https://discord.com/oauth2/authorize",
        token: "https://discord.com/api/oauth2/token",
        keys: None,
        profile: Some("https://discord.com/api/users/@me"),
        form: Form::Discord,
        scope: "identify email",
        posts: false,
    },
];

impl Known {
    /// Endpoints of the documentation, or the same paths on another host.
    fn endpoints(&self, host: Option<&Url>) -> Option<Endpoints> {
        let at = |text: &str| moved(Url::parse(text).ok()?, host);
        let optional = |text: Option<&str>| match text {
            Some(text) => at(text).map(Some),
            None => Some(None),
        };
        let issuer = self.issuer.map(|issuer| match host {
            Some(host) => host.origin().ascii_serialization(),
            None => issuer.to_owned(),
        });
        Some(Endpoints {
            issuer,
            authorize: at(self.authorize)?,
            token: at(self.token)?,
            keys: optional(self.keys)?.map(KeySet::new),
            profile: optional(self.profile)?,
            form: self.form,
            scope: self.scope,
            posts: self.posts,
        })
    }
}

fn moved(mut url: Url, host: Option<&Url>) -> Option<Url> {
    if let Some(host) = host {
        url.set_scheme(host.scheme()).ok()?;
        url.set_host(host.host_str()).ok()?;
        url.set_port(host.port()).ok()?;
    }
    Some(url)
}

/// Reason why the logins at other services cannot be set up. Each text is one sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum ServicesError {
    /// The key of Apple's developers cannot be used.
    #[error("Couldn't read `wallet.social.apple.key`. Set it to the text of the .p8 file from Apple.")]
    AppleKey,
    /// No key of an issuer of hosts' tokens can be used.
    #[error(
        "No key in the `jwks_file` of the issuer {0} can be used. It needs an RSA key of at least 2048 bits, or a key on P-256."
    )]
    JwtKeys(String),
    /// No service has this word.
    #[error("Can't log in with `{0}`, which isn't a known service")]
    Unknown(String),
    /// There is no client for requests.
    #[error(transparent)]
    Client(#[from] NoTrust),
}

impl Provider {
    /// A service as the operator set it up.
    pub(crate) fn configured(social: &Social) -> Result<Provider, ServicesError> {
        let (client_id, host) = (social.client_id.clone(), social.place.as_ref());
        let provider = match (&social.secret, social.word, host) {
            (SocialSecret::Apple { team, id, key }, _, _) => {
                let pair = apple_pair(key.reveal()).ok_or(ServicesError::AppleKey)?;
                Provider::apple(client_id, AppleKey { team: team.clone(), id: id.clone(), pair }, host)
            }
            (SocialSecret::Text(secret), "openid", Some(issuer)) => {
                Some(Provider::discovered(social.word, issuer.clone(), client_id, secret.clone()))
            }
            (SocialSecret::Text(secret), word, _) => Provider::known(word, client_id, secret.clone(), host),
        };
        provider.ok_or_else(|| ServicesError::Unknown(social.word.into()))
    }

    /// A service that this server knows by name; `None` for any other word. `host` is for services that imitate one, in tests.
    pub(crate) fn known(word: &str, client_id: String, secret: Secret, host: Option<&Url>) -> Option<Provider> {
        Provider::of(word, client_id, ClientSecret::Text(secret), host)
    }

    /// Apple, whose secret is a signature.
    pub(crate) fn apple(client_id: String, key: AppleKey, host: Option<&Url>) -> Option<Provider> {
        Provider::of("apple", client_id, ClientSecret::Apple(Arc::new(key)), host)
    }

    fn of(word: &str, client_id: String, secret: ClientSecret, host: Option<&Url>) -> Option<Provider> {
        let known = KNOWN.iter().find(|known| known.word == word)?;
        let found = OnceCell::new();
        if let Some(host) = host {
            found.set(known.endpoints(Some(host))?).ok()?;
        }
        Some(Provider { word: word.into(), client_id, secret, place: Place::Known(known), found })
    }

    /// Any OpenID provider: its endpoints are read from `{issuer}/.well-known/openid-configuration` at the first login.
    pub(crate) fn discovered(word: &str, issuer: Url, client_id: String, secret: Secret) -> Provider {
        let place = Place::Discovered(issuer);
        Provider { word: word.into(), client_id, secret: ClientSecret::Text(secret), place, found: OnceCell::new() }
    }

    /// Address of the page at which the visitor allows the login. `redirect` is where the service sends the visitor back.
    pub(crate) async fn page(&self, client: &Client, redirect: &str, start: &Start) -> Result<Url, LoginFault> {
        let endpoints = self.endpoints(client).await?;
        let mut page = endpoints.authorize.clone();
        page.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.client_id)
            .append_pair("redirect_uri", redirect)
            .append_pair("scope", endpoints.scope)
            .append_pair("state", &start.state)
            .append_pair("code_challenge", &start.challenge())
            .append_pair("code_challenge_method", "S256");
        if endpoints.issuer.is_some() {
            page.query_pairs_mut().append_pair("nonce", &start.nonce);
        }
        if endpoints.posts {
            page.query_pairs_mut().append_pair("response_mode", "form_post");
        }
        Ok(page)
    }

    /// Whether the addresses of the service are known; those of an OpenID provider are asked for.
    pub(crate) async fn is_found(&self, client: &Client) -> Result<(), LoginFault> {
        self.endpoints(client).await.map(drop)
    }

    pub(super) async fn endpoints(&self, client: &Client) -> Result<&Endpoints, LoginFault> {
        self.found
            .get_or_try_init(|| async {
                match &self.place {
                    Place::Known(known) => known.endpoints(None).ok_or_else(|| self.fault("its addresses are wrong")),
                    Place::Discovered(issuer) => {
                        let wrong = |why| match why {
                            Undiscovered::Fetch(fault) => {
                                LoginFault::Unread("configuration", issuer.to_string(), fault)
                            }
                            Undiscovered::Wrong(why) => self.fault(why),
                        };
                        discover(client, issuer).await.map_err(wrong)
                    }
                }
            })
            .await
    }

    pub(super) fn fault(&self, why: &'static str) -> LoginFault {
        LoginFault::Service(self.word.clone(), why)
    }

    /// Secret of a request at this time.
    pub(super) fn secret_at(&self, issuer: Option<&str>, now: i64) -> Result<String, LoginFault> {
        match &self.secret {
            ClientSecret::Text(secret) => Ok(secret.reveal().to_owned()),
            ClientSecret::Apple(key) => key.sign(&self.client_id, issuer.unwrap_or_default(), now),
        }
    }
}

impl AppleKey {
    fn sign(&self, client_id: &str, audience: &str, now: i64) -> Result<String, LoginFault> {
        let now = now.div_euclid(1000);
        let header = serde_json::json!({"alg": "ES256", "kid": self.id});
        let claims = serde_json::json!({"iss": self.team, "iat": now, "exp": now + SECRET_LIFE, "aud": audience, "sub": client_id});
        let text = format!("{}.{}", encode(header.to_string()), encode(claims.to_string()));
        let signature = self.pair.sign(&SystemRandom::new(), text.as_bytes()).map_err(|_| LoginFault::Random)?;
        Ok(format!("{text}.{}", encode(signature)))
    }
}

/// Why the endpoints of a provider aren't known.
enum Undiscovered {
    Fetch(Fault),
    Wrong(&'static str),
}

/// Reads the discovery document (OpenID Connect Discovery 4). A document of another issuer is refused: it is how one service would pass as
/// another.
async fn discover(client: &Client, issuer: &Url) -> Result<Endpoints, Undiscovered> {
    let base = issuer.as_str().trim_end_matches('/');
    let address = Url::parse(&format!("{base}/.well-known/openid-configuration"))
        .map_err(|_| Undiscovered::Wrong("its address is wrong"))?;
    let document = fetch(client.get(address).timeout(WAIT)).await.map_err(Undiscovered::Fetch)?;
    read(&document, issuer, base).ok_or(Undiscovered::Wrong("its configuration isn't from this issuer"))
}

fn read(document: &Value, issuer: &Url, base: &str) -> Option<Endpoints> {
    let text = |name: &str| document.get(name).as_str();
    let named = text("issuer").filter(|named| named.trim_end_matches('/') == base)?;
    // Endpoints may be on other hosts, but not less protected than the issuer.
    let endpoint = |name: &str| {
        Url::parse(text(name)?).ok().filter(|url| url.scheme() == "https" || url.scheme() == issuer.scheme())
    };
    Some(Endpoints {
        issuer: Some(named.to_owned()),
        authorize: endpoint("authorization_endpoint")?,
        token: endpoint("token_endpoint")?,
        keys: Some(KeySet::new(endpoint("jwks_uri")?)),
        profile: None,
        form: Form::Claims,
        scope: "openid email profile",
        posts: false,
    })
}
