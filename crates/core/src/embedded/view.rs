//! The embedded wallet for views.

use super::{Embedded, Fault, LoginPhase, SocialView, UpdatePhase, services};
use crate::facts::Facts;
use portico_json::Json;
use std::fmt;

/// Login, change of the address and pending approval, for views.
#[derive(Clone, Default, Json, PartialEq)]
#[json(name = "EmbeddedView")]
pub struct View {
    /// Address as typed.
    pub email: String,
    pub phase: LoginPhase,
    /// Two digits that the approval page shows too.
    pub number: Option<String>,
    /// Digits of the code as typed.
    pub code: String,
    pub fault: Option<Fault>,
    /// Seconds until another mail may be asked for.
    pub rest: u32,
    /// Whether a request waits for the visitor's approval in the frame.
    pub approving: bool,
    /// Whether the frame shows the settings of the wallet.
    pub settings: bool,
    /// Whether a passkey is offered.
    pub offer: bool,
    /// Address of the logged-in visitor.
    pub user_email: Option<String>,
    /// Name of the logged-in visitor at the provider of a social login.
    pub user_name: Option<String>,
    /// Provider of the logged-in visitor's social login, as visitors know it; empty for a login by the host's own token.
    pub user_provider: Option<String>,
    pub social: SocialView,
    pub update: UpdateView,
}

/// Change of the address, for views.
#[derive(Clone, Default, Json, PartialEq)]
#[json(name = "EmailUpdateView")]
pub struct UpdateView {
    /// New address as typed.
    pub email: String,
    pub phase: UpdatePhase,
    /// Digits of the code as typed.
    pub code: String,
    pub fault: Option<Fault>,
    /// New address of a change that the host leads in a form of its own. It ends if the visitor begins another one.
    pub hosted: Option<String>,
}

impl fmt::Debug for View {
    /// Without the codes.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let View { email, phase, fault, rest, approving, .. } = self;
        formatter
            .debug_struct("View")
            .field("email", email)
            .field("phase", phase)
            .field("fault", fault)
            .field("rest", rest)
            .field("approving", approving)
            .finish_non_exhaustive()
    }
}

impl Embedded {
    pub(super) fn view(&self, facts: &Facts) -> View {
        let (login, update) = (&self.login, &self.update);
        View {
            email: login.email.clone(),
            // The account of a login is on its way, whoever opened its wallet.
            phase: if self.session.entering { LoginPhase::Entering } else { login.phase },
            number: login.number.clone(),
            code: login.code.clone(),
            // The host's own form tells the failures of a login that it leads.
            fault: login.refused.clone().or_else(|| login.fault.clone().filter(|_| !login.hosted)),
            rest: self.rest,
            approving: self.approving.is_some(),
            settings: self.settings.shown,
            offer: self.offer.shown && self.session.address.is_some(),
            user_email: self.session.user.email.clone(),
            user_name: self.session.user.name.clone(),
            user_provider: self.session.user.provider.as_deref().map(|word| services::name_of(word).to_string()),
            social: self.social.view(facts),
            update: update.view(),
        }
    }
}
