//! The registration for views.

use super::{NameFault, Names, Phase, Trouble, may};
use crate::facts::Facts;
use portico_json::Json;

/// A suggested name.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
#[json(name = "NameSuggestion")]
pub struct Suggested {
    /// Part of the name before the first dot.
    pub label: String,
    /// Whether the name is taken or reserved.
    pub registered: bool,
    /// Whether the name is reserved.
    pub reserved: bool,
}

/// The registration for views.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
#[json(name = "NameView")]
pub struct View {
    /// Parent of names, if one can be registered now: "example.eth".
    pub parent: Option<String>,
    /// Name as typed.
    pub text: String,
    /// Error of the name; set once the visitor typed enough or pressed the button.
    pub fault: Option<NameFault>,
    /// Whether the name can be registered, as far as is known here.
    pub ready: bool,
    /// Error message of the last attempt, from the server or a general one.
    pub problem: Option<String>,
    /// Kind of that error.
    pub trouble: Option<Trouble>,
    /// Suggestions, the typed name first.
    pub suggestions: Vec<Suggested>,
    /// Suggestions are being requested.
    pub searching: bool,
    pub phase: Phase,
    /// Full name of the last registration.
    pub registered: Option<String>,
}

impl Names {
    /// The registration for views.
    pub fn view(&self, facts: &Facts) -> View {
        // A short name may still get longer.
        let early = |fault: &NameFault| !self.pressed && (*fault == NameFault::Short);
        let fault = self.fault();
        View {
            parent: facts.offer.names.clone().filter(|_| may(facts).is_some()),
            text: self.text.clone(),
            ready: fault.is_none(),
            fault: fault.filter(|fault| !early(fault)),
            problem: self.problem.as_ref().map(|(_, text)| text.clone()),
            trouble: self.problem.as_ref().map(|(trouble, _)| *trouble),
            suggestions: self.suggestions.clone(),
            searching: self.searching,
            phase: self.phase,
            registered: self.registered.clone(),
        }
    }
}
