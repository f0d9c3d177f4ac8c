use super::View;
use crate::facts::Facts;

/// Whether the modal may be closed: not while a sign-in is required and there is no session (spec 2.25, 6.3).
pub fn may_close(view: View, facts: &Facts) -> bool {
    !(facts.sign_in_due && matches!(view, View::SIWXSignMessage | View::ApproveTransaction))
}
