//! Error type of the tool: one sentence for the user, with the output of the failed program.

use std::fmt;

/// Error of a step or command.
#[derive(Debug)]
pub struct Failure {
    /// One sentence for the user: the problem, and what to do about it.
    pub sentence: String,
    /// Last output of the failed program, if there is one.
    pub details: Option<String>,
}

/// Result with [`Failure`] as its error.
pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// Failure without program output.
    pub fn new(sentence: impl Into<String>) -> Self {
        Self { sentence: sentence.into(), details: None }
    }

    /// Adds the output of the failed program.
    pub fn with_details(self, details: impl Into<String>) -> Self {
        let details = details.into();
        Self { details: (!details.trim().is_empty()).then_some(details), ..self }
    }

    /// Replaces the failure with "Cannot reach `whom`" if the program's output shows a network error.
    pub fn or_no_network(self, whom: &str) -> Self {
        if !self.details.as_deref().is_some_and(blames_network) {
            return self;
        }
        let advice = "check the network (and the proxy, if there is one), then run this again";
        Self::new(format!("Cannot reach {whom}: {advice}."))
    }
}

fn blames_network(said: &str) -> bool {
    let blames = [
        "ENOTFOUND",
        "EAI_AGAIN",
        "ECONNREFUSED",
        "ECONNRESET",
        "ETIMEDOUT",
        "ENOTCACHED",
        "ENETUNREACH",
        "Could not resolve host",
        "Temporary failure resolving",
        "spurious network error",
        "failed to download from",
        "Unable to connect",
    ];
    blames.iter().any(|blame| said.contains(blame))
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(details) = &self.details {
            writeln!(formatter, "{}\n", details.trim_end())?;
        }
        formatter.write_str(&self.sentence)
    }
}

/// Turns an error into a failure that names the action.
pub trait OrSay<T> {
    /// `what` continues "Could not", as in "read Cargo.lock".
    fn or_say(self, what: impl fmt::Display) -> Result<T>;
}

impl<T, E: fmt::Display> OrSay<T> for std::result::Result<T, E> {
    fn or_say(self, what: impl fmt::Display) -> Result<T> {
        self.map_err(|error| Failure::new(format!("Could not {what}: {error}.")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_network_is_recognised_in_the_last_words_of_a_program() {
        let said =
            |details: &str| Failure::new("Npm ci failed.").with_details(details).or_no_network("the npm registry");
        assert_eq!(
            said("npm error code EAI_AGAIN\nnpm error syscall getaddrinfo").to_string(),
            "Cannot reach the npm registry: check the network (and the proxy, if there is one), then run this again."
        );
        assert_eq!(said("npm error code EUSAGE").to_string(), "npm error code EUSAGE\n\nNpm ci failed.");
    }
}
