//! Takes from the process what it does not need.

/// No core dumps, and no other process of the same user may look into the memory. A vault that `serve` started ends with it.
#[cfg(target_os = "linux")]
pub(crate) fn harden(ends_with_parent: bool) {
    use rustix::process::{DumpableBehavior, Signal, set_dumpable_behavior, set_parent_process_death_signal};
    if let Err(error) = set_dumpable_behavior(DumpableBehavior::NotDumpable) {
        tracing::warn!(%error, "this system lets other processes of the user read the vault's memory");
    }
    if ends_with_parent && let Err(error) = set_parent_process_death_signal(Some(Signal::TERM)) {
        tracing::warn!(%error, "the vault won't notice when the server is killed");
    }
}

/// Confines this thread, and all threads that it starts later, to what a vault needs.
#[cfg(target_os = "linux")]
pub(crate) use super::confine::confine;

/// Other systems than Linux have other means.
#[cfg(not(target_os = "linux"))]
pub(crate) fn confine(_: &crate::config::Wallet) {
    tracing::warn!("this system can't confine the vault to its files, ports and system calls");
}

/// Other systems than Linux have other means.
#[cfg(not(target_os = "linux"))]
pub(crate) fn harden(_: bool) {
    tracing::warn!("this system lets other processes of the user read the vault's memory");
}
