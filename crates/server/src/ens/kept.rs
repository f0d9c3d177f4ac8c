//! Which name an account has, as long as that is kept (spec 3.21, 9.5): also that it has none, but never that nobody could say.

use super::EnsName;
use super::lookup::LookupFailed;
use crate::AppState;
use alloy_primitives::Address;
use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Spec 9.5.
pub(crate) const KEPT: Duration = Duration::from_secs(300);

/// An entry of the cache (spec 3.21).
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Entry {
    /// Whose name it is.
    address: Address,
    /// None where the account has no name.
    ens: Option<String>,
    /// When it was looked up, in epoch seconds.
    timestamp: u64,
}

impl Entry {
    /// What is stored may be anybody's: it counts for its own address, in the form of a name, and in its time.
    fn counts(&self, account: Address, now: u64) -> bool {
        let formed = self.ens.as_deref().is_none_or(|ens| EnsName::claimed(ens).is_some());
        let age = now.checked_sub(self.timestamp);
        self.address == account && formed && age.is_some_and(|age| age < KEPT.as_secs())
    }
}

/// The name of an account, and since when that is known, in epoch seconds.
pub(crate) async fn name_of(state: &AppState, account: Address) -> Result<(Option<EnsName>, u64), LookupFailed> {
    let key = format!("ens:{account:#x}");
    let kept = state.shared().get(&key).await.and_then(|kept| serde_json::from_slice::<Entry>(&kept).ok());
    if let Some(entry) = kept.filter(|entry| entry.counts(account, now())) {
        return Ok((entry.ens.as_deref().and_then(EnsName::claimed), entry.timestamp));
    }
    let name = super::name_of(state, account).await?;
    let ens = name.as_ref().map(|name| name.as_str().to_owned());
    let entry = Entry { address: account, ens, timestamp: now() };
    if let Ok(text) = serde_json::to_vec(&entry) {
        state.shared().put(&key, text.into(), KEPT).await;
    }
    Ok((name, entry.timestamp))
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_3_21_an_entry_has_address_name_and_timestamp_and_counts_for_5_minutes() {
        let account = Address::repeat_byte(0xab);
        let read = |address: Address, ens: &str, timestamp: u64| {
            serde_json::from_str::<Entry>(&format!(r#"{{"address":"{address}","ens":{ens},"timestamp":{timestamp}}}"#))
                .is_ok_and(|entry| entry.counts(account, 1_000_000))
        };
        for ens in [r#""alice.eth""#, "null"] {
            assert!(read(account, ens, 1_000_000) && read(account, ens, 999_701), "{ens}");
            // Too old, of a time to come, of another.
            assert!(!read(account, ens, 999_700) && !read(account, ens, 1_000_001), "{ens}");
            assert!(!read(Address::repeat_byte(0xac), ens, 1_000_000), "{ens}");
        }
        for ens in [r#""Alice.eth""#, r#""""#, r#""a..eth""#, r#""vіtalik.eth""#, "7", "{}"] {
            assert!(!read(account, ens, 1_000_000), "{ens}");
        }
        let entry = Entry { address: account, ens: Some("alice.eth".into()), timestamp: 7 };
        let text = serde_json::to_value(entry).unwrap();
        let expected = serde_json::json!({"address": format!("{account:#x}"), "ens": "alice.eth", "timestamp": 7});
        assert_eq!(text, expected);
    }
}
