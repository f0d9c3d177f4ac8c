//! Limits and caches in a Redis that goes away and comes back.

use crate::support::place::TestStores;
use crate::way::Way;
use portico_server::shared::{Bucket, Limit, Over, Rate, Shared, Spent};
use std::time::{Duration, Instant};

const MINUTE: Duration = Duration::from_secs(60);

/// Two nodes' handles of the same Redis.
async fn two() -> (Shared, Shared) {
    let folder = tempfile::tempdir().unwrap();
    let place = TestStores::new(folder.path()).await;
    assert!(place.redis.is_some(), "PORTICO_TEST_REDIS_URL");
    (place.shared(), place.shared())
}

fn bucket(key: &str, limit: Limit) -> Bucket {
    Bucket { key: key.into(), limit }
}

#[tokio::test]
async fn what_one_node_keeps_the_other_finds_until_it_runs_out() {
    let (one, two) = two().await;
    one.put("long", "a".into(), MINUTE).await;
    assert_eq!(two.get("long").await.as_deref(), Some(b"a".as_slice()));
    assert_eq!(two.get("none").await, None);
    one.put("short", vec![0, 255].into(), Duration::from_millis(300)).await;
    assert_eq!(two.get("short").await.as_deref(), Some([0, 255].as_slice()));
    let start = Instant::now();
    while two.get("short").await.is_some() {
        assert!(start.elapsed() < Duration::from_secs(5));
    }
    assert!(one.whole().await && two.whole().await);
}

#[tokio::test]
async fn a_thing_happens_once_on_all_nodes_together() {
    let (one, two) = two().await;
    assert!(one.first("nonce", MINUTE).await);
    assert!(!two.first("nonce", MINUTE).await && !one.first("nonce", MINUTE).await);
    assert!(two.first("other", MINUTE).await);
}

#[tokio::test]
async fn a_bucket_is_one_for_all_nodes_and_fills_as_it_says() {
    let (one, two) = two().await;
    let hourly = Rate { per_second: 1.0 / 3600.0, burst: 3 };
    assert_eq!((one.spend("a", 2, hourly).await, two.spend("a", 1, hourly).await), (Ok(()), Ok(())));
    for node in [&one, &two] {
        let Spent { seconds } = node.spend("a", 1, hourly).await.unwrap_err();
        assert!((3590..=3600).contains(&seconds), "{seconds}");
        let Spent { seconds } = node.spend("a", 1000, hourly).await.unwrap_err();
        assert!((10_790..=10_800).contains(&seconds), "{seconds}");
    }
    // A cost above the capacity takes a full bucket.
    assert_eq!(one.spend("b", u32::MAX, hourly).await, Ok(()));
    assert!(two.spend("b", 1, hourly).await.is_err());
    let fast = Rate { per_second: 1000.0, burst: 3 };
    assert_eq!(one.spend("c", 3, fast).await, Ok(()));
    let start = Instant::now();
    while two.spend("c", 3, fast).await.is_err() {
        assert!(start.elapsed() < Duration::from_secs(5));
    }
}

#[tokio::test]
async fn of_several_buckets_all_are_spent_or_none_and_a_window_tells_when_it_ends() {
    let (one, two) = two().await;
    let rate = Limit::Rate(Rate { per_second: 1.0 / 3600.0, burst: 4 });
    let window = Limit::Window { most: 2, ends_in: MINUTE };
    let both = [bucket("rate", rate), bucket("window", window)];
    assert_eq!(one.spend_each(&both, 1).await, Ok(()));
    assert_eq!(two.spend_each(&both, 1).await, Ok(()));
    for node in [&one, &two] {
        let Over { place, spent } = node.spend_each(&both, 1).await.unwrap_err();
        assert_eq!(place, 1);
        assert!((50..=60).contains(&spent.seconds), "{spent:?}");
    }
    assert_eq!(one.spend_each(&both[..1], 2).await, Ok(()));
    assert_eq!(two.spend_each(&both, 1).await.unwrap_err().place, 0);
}

#[tokio::test]
async fn a_node_goes_on_by_itself_while_redis_is_gone_and_with_the_others_when_it_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let place = TestStores::new(folder.path()).await;
    let mut way = Way::open(place.redis.as_deref().unwrap(), "127.0.0.1:0").await;
    let url = format!("redis://{}", way.address);
    let cut_off =
        Shared::in_redis(redis::IntoConnectionInfo::into_connection_info(url).unwrap(), &place.prefix).unwrap();
    let other = place.shared();
    let hourly = Rate { per_second: 1.0 / 3600.0, burst: 2 };
    assert_eq!(other.spend("a", 2, hourly).await, Ok(()));
    assert!(cut_off.spend("a", 1, hourly).await.is_err());
    other.put("kept", "a".into(), MINUTE).await;
    way.cut().await;
    // Without Redis the node has a bucket of its own and no cache.
    assert_eq!(cut_off.spend("a", 2, hourly).await, Ok(()));
    assert!(cut_off.spend("a", 1, hourly).await.is_err());
    assert_eq!(cut_off.get("kept").await, None);
    assert!(cut_off.first("nonce", MINUTE).await && !cut_off.first("nonce", MINUTE).await);
    assert!(!cut_off.whole().await);
    way.mend().await;
    let start = Instant::now();
    while !cut_off.whole().await {
        assert!(start.elapsed() < Duration::from_secs(10), "Redis is back and nobody noticed");
        tokio::task::yield_now().await;
    }
    assert_eq!(cut_off.get("kept").await.as_deref(), Some(b"a".as_slice()));
}
