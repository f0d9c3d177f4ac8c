//! Scripted server of the host: responses by part of the URL.

use portico_core::{HttpMethod, Outcome};
use portico_json::{Write, to_text};
use std::fmt;

type Answer = dyn FnMut(HttpMethod, &str, Option<&str>) -> Outcome;

/// Real server that answers in place of the scripted responses.
pub struct Backend(Box<Answer>);

impl Backend {
    /// Wraps a function from method, URL and body to the outcome of the request.
    pub fn new(answer: impl FnMut(HttpMethod, &str, Option<&str>) -> Outcome + 'static) -> Backend {
        Backend(Box::new(answer))
    }

    /// Outcome of a request.
    pub fn answer(&mut self, method: HttpMethod, url: &str, body: Option<&str>) -> Outcome {
        (self.0)(method, url, body)
    }
}

impl fmt::Debug for Backend {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Backend")
    }
}

/// Scripted server of the host: requests received and prepared responses.
#[derive(Debug, Default)]
pub struct Server {
    answers: Vec<(String, u16, String)>,
    /// All requests, the oldest first: "GET https://host.example/v1/…", and the body.
    pub heard: Vec<(String, Option<String>)>,
    /// Whether requests stay unanswered.
    pub silent: bool,
    /// Delay of the responses, in milliseconds.
    pub late: u64,
    /// Part of the URL that limits `late` to matching requests.
    pub late_part: &'static str,
    /// Answers all requests where it is set.
    pub backend: Option<Backend>,
}

impl Server {
    /// Sets the response to requests whose URL contains `part`; a later call for the same part replaces it, and the longest part wins.
    pub fn answers(&mut self, part: &str, status: u16, body: &str) {
        self.answers.retain(|(known, ..)| known != part);
        self.answers.push((part.into(), status, body.into()));
        self.answers.sort_by_key(|(part, ..)| std::cmp::Reverse(part.len()));
    }

    /// Sets the successful response to requests whose URL contains `part`: a type of the API as JSON.
    pub fn serves(&mut self, part: &str, answer: &impl Write) {
        self.answers(part, 200, &to_text(answer));
    }

    /// Number of requests whose URL contains `part`.
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
        if let Some(backend) = &mut self.backend {
            return Some(backend.answer(method, url, body));
        }
        let found = self.answers.iter().find(|(part, ..)| url.contains(part.as_str()));
        let (status, body) = found.map_or((404, String::new()), |(_, status, body)| (*status, body.clone()));
        Some(Outcome::HttpAnswered { status, retry_after: None, body })
    }
}
