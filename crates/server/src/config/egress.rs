//! `[egress]`: addresses outside the public internet that URLs chosen by visitors or chains may reach.

use super::file::Read;
use crate::egress::Allowed;

pub(super) const SETTINGS: &[&str] = &["egress.allow"];

impl Read<'_> {
    pub(super) fn egress(&mut self) -> Vec<Allowed> {
        let Some((texts, place)) = self.texts("egress.allow") else { return Vec::new() };
        let mut allowed = Vec::new();
        for text in texts {
            let parsed = Allowed::parse(&text).ok_or_else(|| {
                format!("use an address such as 10.1.2.3 or 127.0.0.1:8545, or a network such as 192.168.0.0/16, not `{text}`")
            });
            allowed.extend(self.keep(place.clone(), parsed));
        }
        allowed
    }
}
