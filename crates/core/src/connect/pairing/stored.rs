//! Storage of a code beyond its page: visitors reload, and phones discard the page while the wallet is open (spec 4.4). All tabs write the
//! same key and the last write wins, so a stored code may be another tab's.

use super::*;

impl Pairings {
    /// Whether an earlier page stored a code that can still be approved.
    pub fn is_stored(&self, now: u64) -> bool {
        let until = self.stored.unread.0.get("until").as_u64().unwrap_or_default();
        until > now && until - now <= PAIRING_LIFE
    }

    /// Takes the stored code over: a returning visitor sees it again (spec 4.4), and one who approved it meanwhile gets connected.
    pub(super) fn restore(&mut self, cx: &Cx) {
        let here = self.is_stored(cx.now);
        let stored = std::mem::take(&mut self.stored.unread).0;
        let text = |name: &str| stored.get(name).as_str().map(String::from).filter(|text| !text.is_empty());
        let (Some(topic), Some(uri), true) = (text("topic"), text("uri").filter(|uri| is_uri(uri)), here) else {
            return;
        };
        self.stored.noted = Some(topic.clone());
        self.stored.found = Some(topic.clone());
        if stored.get("opened").as_bool() == Some(true) {
            self.target.linked = Some(topic.clone());
        }
        if cx.facts.environment.keeps_pairing() && self.codes.current.is_none() {
            self.codes.current = Some(Pairing::new(uri, topic, stored.get("until").as_u64()));
        } else {
            self.codes.past.push(topic);
        }
    }

    /// Stores the code on the screen for the next page load.
    pub(super) fn note(&mut self, cx: &mut Cx) {
        let Some(Pairing { uri, topic, until: Some(until), .. }) = &self.codes.current else { return };
        let opened = self.target.linked.as_ref() == Some(topic);
        let fields = vec![
            (String::from("topic"), Value::Text(topic.clone())),
            ("uri".into(), Value::Text(uri.clone())),
            ("until".into(), Value::Number(until.to_string())),
            ("opened".into(), Value::Bool(opened)),
        ];
        let value = to_text(&Value::Object(fields));
        self.stored.noted = Some(topic.clone());
        cx.order(Operation::WriteStorage { area: StorageArea::Local, key: keys::PAIRING.into(), value });
    }

    /// Deletes the stored code if it has this topic: it cannot be approved any more.
    pub(super) fn unnote(&mut self, topic: &str, cx: &mut Cx) {
        if self.stored.noted.take_if(|noted| noted == topic).is_some() {
            cx.order(Operation::RemoveStorage { area: StorageArea::Local, key: keys::PAIRING.into() });
        }
    }

    /// Closes the pairing of a code. One that another tab may show is left to that tab.
    pub(super) fn close(&mut self, topic: String, cx: &mut Cx) {
        if self.is_shared(&topic) {
            return;
        }
        self.unnote(&topic, cx);
        if !topic.is_empty() {
            self.codes.closed.push(topic.clone());
            if self.codes.closed.len() > MOST_PAST {
                self.codes.closed.remove(0);
            }
            cx.order(Operation::ClosePairing { topic });
        }
    }
}
