//! The host's own server, as far as a story needs it: answers by the beginning of the path.

use portico_core::{HttpMethod, Outcome};

/// What it was asked, and what it answers.
#[derive(Debug, Default)]
pub struct Server {
    answers: Vec<(String, u16, String)>,
    /// Every request, the oldest first: "GET https://host.example/v1/…", and its body.
    pub heard: Vec<(String, Option<String>)>,
    /// Requests are left without an answer.
    pub silent: bool,
    /// Answers come so many milliseconds later.
    pub late: u64,
    /// Late are answers alone whose address holds this.
    pub late_part: &'static str,
}

impl Server {
    /// From now on, answers requests whose address holds `part`; the last word on a part counts, and the longest part goes first.
    pub fn answers(&mut self, part: &str, status: u16, body: &str) {
        self.answers.retain(|(known, ..)| known != part);
        self.answers.push((part.into(), status, body.into()));
        self.answers.sort_by_key(|(part, ..)| std::cmp::Reverse(part.len()));
    }

    /// How often it was asked for something whose address holds `part`.
    pub fn count(&self, part: &str) -> usize {
        self.heard.iter().filter(|(request, _)| request.contains(part)).count()
    }

    pub(crate) fn lateness(&self, url: &str) -> u64 {
        if url.contains(self.late_part) { self.late } else { 0 }
    }

    pub(crate) fn answer(&mut self, method: HttpMethod, url: &str, body: Option<&str>) -> Option<Outcome> {
        self.heard.push((format!("{} {url}", method.word()), body.map(Into::into)));
        if self.silent {
            return None;
        }
        let found = self.answers.iter().find(|(part, ..)| url.contains(part.as_str()));
        let (status, body) = found.map_or((404, String::new()), |(_, status, body)| (*status, body.clone()));
        Some(Outcome::HttpAnswered { status, retry_after: None, body })
    }
}
