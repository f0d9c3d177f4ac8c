//! Sign-in for views.

use super::{Phase, Siwx};
use crate::facts::Facts;
use portico_json::Json;

/// Reason why the last try failed, or why the visitor signs in again.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SiwxRefusal", tag = "type")]
pub enum Refusal {
    /// The visitor declined in the wallet.
    Declined,
    /// The site finds the times of the message invalid, which are from the clock of this device.
    Clock,
    /// The site finds the message too old: the visitor took long in the wallet.
    Late,
    /// The site cannot verify signatures now.
    Unavailable,
    /// The session ended.
    Ended,
    /// The site cannot tell whether there is a session, and may be asked again.
    Silent,
    /// The wallet is on a network that the host does not serve.
    Network,
    /// Another reason.
    Refused {
        /// Words of the site or the wallet; may be empty.
        words: String,
    },
}

/// Sign-in for views.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SiwxView")]
pub struct View {
    pub phase: Phase,
    /// Name of the site, as the host gave it, or its address where it gave none; `null` until the site has told.
    pub name: Option<String>,
    /// Icon of the site.
    pub icon: Option<String>,
    /// Address of the page, without its scheme.
    pub domain: String,
    /// Sentence that the visitor agrees to.
    pub statement: Option<String>,
    /// Whole text to sign; empty until the site has written it.
    pub message: String,
    /// Reason why the last try failed, or why the visitor signs in again.
    pub refusal: Option<Refusal>,
    /// Whether Cancel disconnects the wallet (spec 4.28).
    pub disconnects: bool,
}

impl Siwx {
    /// Sign-in for views.
    pub(super) fn view(&self, facts: &Facts) -> View {
        let origin = &facts.environment.origin;
        let domain = origin.split_once("://").map_or(origin.as_str(), |(_, domain)| domain);
        let (words, site) = (self.words.as_ref(), self.site.as_ref());
        View {
            phase: self.phase,
            name: site.map(|site| site.name.clone().unwrap_or_else(|| domain.into())),
            icon: site.and_then(|site| site.icon.clone()),
            domain: domain.into(),
            statement: words.and_then(|words| words.statement.clone()),
            message: words.map(|words| words.text.clone()).unwrap_or_default(),
            refusal: self.refusal.clone(),
            disconnects: facts.options.sign_in_required && self.way_back(facts).is_none(),
        }
    }
}
