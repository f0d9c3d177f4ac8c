//! Services of social logins: those that host and server offer, and that work in this browser (spec 5.19 to 5.22, 6.7, 8.43).

use super::event::Reason;
use crate::boot::Environment;
use crate::config::Social;
use crate::cx::Cx;
use crate::facts::Facts;
use crate::http::{Request, encode};
use crate::notice::AlertKey;
use crate::signal::Signal;
use portico_api::project::SocialService;
use portico_json::{Json, Value};
use portico_terms::rpc::RpcError;

/// Longest name of a service that is shown.
const LONGEST_NAME: usize = 40;

/// Service among the connect methods.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
#[json(name = "SocialItem")]
pub struct Item {
    pub id: Social,
    /// Name as visitors know it.
    pub name: String,
}

/// The field of a [`ProjectConfig`](portico_api::project::ProjectConfig) that is read here.
#[derive(Clone, Debug, Default, Json)]
struct ServedConfig {
    socials: Option<Vec<SocialService>>,
}

/// Services that the project has.
#[derive(Debug)]
enum Served {
    /// There is no server to ask: the host's list counts.
    Unknown,
    Known(Vec<Item>),
}

/// Services, and whether the server was asked for them.
#[derive(Debug, Default)]
pub(super) struct Services {
    asked: bool,
    served: Option<Served>,
}

/// Name of a service as visitors know it.
pub(super) fn name_of(word: &str) -> &str {
    match Social::from_word(word) {
        Some(Social::Google) => "Google",
        Some(Social::X) => "X",
        Some(Social::Discord) => "Discord",
        Some(Social::Farcaster) => "Farcaster",
        Some(Social::Github) => "GitHub",
        Some(Social::Apple) => "Apple",
        Some(Social::Facebook) => "Facebook",
        Some(Social::Openid) => "OpenID",
        // The host knows its own visitors: their name is all there is to say.
        None if word == super::jwt::WORD => "",
        None => word,
    }
}

pub(super) fn item(id: Social) -> Item {
    Item { id, name: name_of(id.word()).into() }
}

/// Whether a service works in this browser: the webviews of Telegram lack some (spec 5.19 to 5.22).
fn works_in(environment: &Environment, social: Social) -> bool {
    !environment.telegram
        || match social {
            Social::Google => !environment.ios,
            Social::X => !environment.mac && !environment.android,
            Social::Facebook => !environment.android,
            _ => true,
        }
}

impl Services {
    /// The modal offers social logins: asks the server which it has, once.
    pub fn ask(&mut self, cx: &mut Cx) {
        if self.asked {
            return;
        }
        let project = cx.facts.options.project_id.clone().unwrap_or_default();
        let path = ["/v1/project/", &encode(&project), "/config"].concat();
        self.asked = cx.http(Request::get(path), Reason::Offer);
        if !self.asked {
            self.served = Some(Served::Unknown);
        }
    }

    /// Response of the server. After a failure none is offered, and the request is repeated the next time the modal opens.
    pub fn answered(&mut self, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let config: Option<ServedConfig> = answer.ok().and_then(|config| cx.read(&config));
        self.asked = config.is_some();
        let Some(config) = config else {
            self.served = Some(Served::Known(Vec::new()));
            return;
        };
        let services = config.socials.unwrap_or_default().into_iter().filter_map(|service| {
            let known = item(Social::from_word(&service.id)?);
            let own = service.name.map(|name| crate::shown::clean(&name).chars().take(LONGEST_NAME).collect());
            let own = own.filter(|name: &String| known.id == Social::Openid && !name.is_empty());
            Some(Item { name: own.unwrap_or(known.name), id: known.id })
        });
        let services: Vec<Item> = services.collect();
        let wanted = &cx.facts.options.features.socials;
        // A host that lists services wants all of them; the default list is cut in silence.
        if wanted.as_slice() != Social::DEFAULT {
            let missing = wanted.iter().filter(|social| services.iter().all(|service| service.id != **social));
            let missing: Vec<&str> = missing.map(|social| social.word()).collect();
            if !missing.is_empty() {
                let detail = ["features.socials: the server isn't set up for ", &missing.join(", ")].concat();
                cx.signal(Signal::OptionFaulted(AlertKey::InvalidOptions, detail));
            }
        }
        self.served = Some(Served::Known(services));
    }

    /// Services that are offered; `None` before the server has told.
    pub fn list(&self, facts: &Facts) -> Option<Vec<Item>> {
        let served = self.served.as_ref()?;
        let wanted = facts.options.features.socials.iter().filter(|social| works_in(&facts.environment, **social));
        let there = |social: &Social| match served {
            Served::Unknown => Some(item(*social)),
            Served::Known(services) => services.iter().find(|service| service.id == *social).cloned(),
        };
        Some(wanted.filter_map(there).collect())
    }
}
