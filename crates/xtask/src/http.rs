//! HTTP requests of the tool, all to this machine.

use std::time::Duration;

use ureq::Agent;

use crate::failure::{OrSay, Result};

fn agent() -> Agent {
    Agent::config_builder().timeout_global(Some(Duration::from_secs(10))).proxy(None).build().into()
}

/// Sends a GET request and returns the body.
pub fn get(url: &str) -> Result<String> {
    let answer = agent().get(url).call();
    answer.and_then(|mut answer| answer.body_mut().read_to_string()).or_say(format_args!("get {url}"))
}

/// Sends a POST request with a JSON body and returns the response's body.
pub fn post(url: &str, json: &str) -> Result<String> {
    let answer = agent().post(url).header("content-type", "application/json").send(json);
    answer.and_then(|mut answer| answer.body_mut().read_to_string()).or_say(format_args!("ask {url}"))
}
