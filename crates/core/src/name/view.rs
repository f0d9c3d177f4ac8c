//! What views read of a registration.

use super::{NameFault, Names, Phase, may};
use crate::facts::Facts;
use portico_json::Json;

/// A name that is like the typed one.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
#[json(name = "NameSuggestion")]
pub struct Suggested {
    /// The part before the first dot.
    pub label: String,
    /// Whether somebody has it.
    pub registered: bool,
}

/// What the views draw.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
#[json(name = "NameView")]
pub struct View {
    /// The parent of names, where one can be registered now: "example.eth".
    pub parent: Option<String>,
    /// As typed.
    pub text: String,
    /// What is wrong with it, said once the visitor has typed enough or asked to go on.
    pub fault: Option<NameFault>,
    /// Why the last try failed, in the server's words or ours.
    pub problem: Option<String>,
    /// The typed one first.
    pub suggestions: Vec<Suggested>,
    /// Suggestions are being asked for.
    pub searching: bool,
    /// How far it is.
    pub phase: Phase,
    /// The name that was registered last, whole.
    pub registered: Option<String>,
}

impl Names {
    /// What the views draw.
    pub fn view(&self, facts: &Facts) -> View {
        // What is too short may become longer.
        let early = |fault: &NameFault| !self.pressed && (*fault == NameFault::Short);
        View {
            parent: facts.offer.names.clone().filter(|_| may(facts).is_some()),
            text: self.text.clone(),
            fault: self.fault().filter(|fault| !early(fault)),
            problem: self.problem.clone(),
            suggestions: self.suggestions.clone(),
            searching: self.searching,
            phase: self.phase,
            registered: self.registered.clone(),
        }
    }
}
