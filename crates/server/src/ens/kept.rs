//! Cache of account names (spec 3.21, 9.5). The absence of a name is cached too, a failed lookup is not.

use super::EnsName;
use super::lookup::LookupFailed;
use crate::AppState;
use alloy_primitives::Address;
use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Lifetime of an entry (spec 9.5).
pub(crate) const KEPT: Duration = Duration::from_secs(300);

/// Cache entry (spec 3.21).
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Entry {
    /// Account of the name.
    address: Address,
    /// `None` if the account has no name.
    ens: Option<String>,
    /// Time of the lookup, in epoch seconds.
    timestamp: u64,
}

impl Entry {
    /// Validates an entry, since the cache content is not trusted: right address, well-formed name, not expired.
    fn counts(&self, account: Address, now: u64) -> bool {
        let formed = self.ens.as_deref().is_none_or(|ens| EnsName::claimed(ens).is_some());
        let age = now.checked_sub(self.timestamp);
        self.address == account && formed && age.is_some_and(|age| age < KEPT.as_secs())
    }
}

/// Name of an account, and the time of its lookup in epoch seconds.
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
            // Expired, from the future, of another account.
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
