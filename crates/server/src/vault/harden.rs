//! Takes from the process what it does not need.

/// No core dumps, no memory in the swap, and no other process of the same user may look into the memory. A vault that `serve` started ends with it.
#[cfg(target_os = "linux")]
pub(crate) fn harden(ends_with_parent: bool) {
    use rustix::process::{DumpableBehavior, Signal, set_dumpable_behavior, set_parent_process_death_signal};
    if let Err(error) = set_dumpable_behavior(DumpableBehavior::NotDumpable) {
        tracing::warn!(%error, "this system lets other processes of the user read the vault's memory");
    }
    lock_memory();
    if ends_with_parent && let Err(error) = set_parent_process_death_signal(Some(Signal::TERM)) {
        tracing::warn!(%error, "the vault won't notice when the server is killed");
    }
}

/// Keeps the memory out of the swap. Under a limit, memory that is needed later could not be had, so there has to be none.
#[cfg(target_os = "linux")]
fn lock_memory() {
    use rustix::mm::{MlockAllFlags, mlockall};
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    // Root alone may raise its limit.
    let _ = setrlimit(Resource::Memlock, Rlimit { current: None, maximum: None });
    if getrlimit(Resource::Memlock).current.is_some() {
        tracing::info!(
            "the vault's memory can be swapped to disk. To prevent this, start it with `ulimit -l unlimited`."
        );
        return;
    }
    if let Err(error) = mlockall(MlockAllFlags::CURRENT | MlockAllFlags::FUTURE | MlockAllFlags::ONFAULT) {
        tracing::warn!(%error, "the vault's memory can be swapped to disk");
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
