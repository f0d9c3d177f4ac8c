use super::View;
use crate::facts::Facts;

/// Whether the modal may be closed: not while a sign-in is required and there is no session (spec 2.25, 6.3). From the way back to a signed
/// network the visitor goes back, or on.
pub fn may_close(view: View, facts: &Facts) -> bool {
    let needed = [View::SIWXSignMessage, View::ApproveTransaction, View::SwitchNetwork].contains(&view);
    !(facts.sign_in_due && needed)
}
