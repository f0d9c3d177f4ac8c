//! Metrics of the vault's process.

use metrics::{counter, describe_counter};

pub(super) const RELEASES: &str = "portico_vault_releases_total";
pub(super) const REFUSED_RELEASES: &str = "portico_vault_releases_refused_total";
pub(super) const WRONG_CODES: &str = "portico_vault_wrong_codes_total";
pub(super) const PASSWORD_TRIES: &str = "portico_vault_password_tries_total";
/// Mails by `outcome`.
pub(super) const MAILS: &str = "portico_vault_mails_total";
pub(super) const SENT: &str = "sent";
pub(super) const FAILED: &str = "failed";

/// Describes the metrics, and begins each at zero: an alarm on any increase needs a number before the first one.
pub(crate) fn begin() {
    describe_counter!(RELEASES, "Recovery shares released");
    describe_counter!(REFUSED_RELEASES, "Releases of recovery shares refused, because there were too many in an hour");
    describe_counter!(WRONG_CODES, "Wrong codes entered");
    describe_counter!(PASSWORD_TRIES, "Passwords tried");
    describe_counter!(MAILS, "Emails, by outcome");
    for name in [RELEASES, REFUSED_RELEASES, WRONG_CODES, PASSWORD_TRIES] {
        counter!(name).increment(0);
    }
    for outcome in [SENT, FAILED] {
        counter!(MAILS, "outcome" => outcome).increment(0);
    }
}
