//! Identity of this client towards relays.

use super::Config;
use crate::jwt::{ClientKey, LIFETIME};
use crate::search::split;
use crate::uri::push_encoded;

/// Key of the client, and the environment that it reports to relays.
pub(super) struct Setup {
    key: ClientKey,
    /// Random `sub` claim of its tokens, drawn once at start.
    subject: String,
    user_agent: Option<String>,
    origin: Option<String>,
}

impl Setup {
    pub fn new(seed: &[u8; 32], subject: String, config: &Config) -> Setup {
        let (user_agent, origin) = (config.user_agent.clone(), config.origin.clone());
        Setup { key: ClientKey::from_seed(seed), subject, user_agent, origin }
    }

    /// URL of a new socket, with a token signed for it.
    pub fn address(&self, relay: &str, project: Option<&str>, seconds: u64) -> String {
        let mut url = String::from(relay);
        let rooted = split(relay, "://").is_some_and(|parts| parts.1.contains('/'));
        url.push_str(if rooted { "?auth=" } else { "/?auth=" });
        url.push_str(&self.key.sign(&self.subject, relay, seconds, LIFETIME));
        for (name, value) in
            [("&projectId=", project), ("&ua=", self.user_agent.as_deref()), ("&origin=", self.origin.as_deref())]
        {
            if let Some(value) = value {
                url.push_str(name);
                push_encoded(value, &mut url);
            }
        }
        url.push_str("&useOnCloseEvent=true");
        url
    }
}
