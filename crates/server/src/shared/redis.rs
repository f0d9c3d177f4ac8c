//! State that several nodes share, in Redis.

use super::{Bucket, Limit, Over, Spent};
use axum::body::Bytes;
use futures_util::StreamExt;
use redis::aio::{ConnectionManager, ConnectionManagerConfig, PubSubStream};
use redis::{Client, Cmd, ConnectionInfo, ErrorKind, FromRedisValue, RedisError, RedisResult, Script, cmd, pipe};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

/// Time limit of a request to Redis, short because a visitor waits for it.
const LIMIT: Duration = Duration::from_millis(250);

/// Time limit for subscribing to a channel, longer because no visitor waits for it.
const LISTEN_LIMIT: Duration = Duration::from_secs(5);

/// Interval of background checks whether a lost Redis is back, even without requests.
const LOOK_AFTER: Duration = Duration::from_secs(2);

/// Interval at which one request tries a lost Redis again; the others skip it at once.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Text of Redis about a database number that it lacks.
const OUT_OF_RANGE: &str = "DB index is out of range";

#[derive(Clone)]
pub(super) struct Redis {
    client: Client,
    connection: ConnectionManager,
    spend: Arc<Script>,
    /// Prefix of all keys, so that several installations can share one Redis.
    prefix: Arc<str>,
    /// Time of the next attempt while Redis is lost.
    gone: Arc<Mutex<Option<Instant>>>,
    /// Number of the database in Redis.
    database: i64,
    /// Why Redis refused the last request, if it did.
    refusal: Arc<Mutex<Option<Refusal>>>,
}

/// Messages of a channel, as long as the connection lasts.
pub(crate) struct Heard(PubSubStream);

impl Heard {
    /// Next message; `None` once the connection has ended.
    pub(crate) async fn next(&mut self) -> Option<Bytes> {
        let message = self.0.next().await?;
        Some(message.get_payload_bytes().to_vec().into())
    }
}

/// Redis did not respond.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Gone;

impl Redis {
    /// Connects on the first request, and again after each failure.
    pub(super) fn new(place: ConnectionInfo, prefix: &str) -> RedisResult<Redis> {
        let config = ConnectionManagerConfig::new()
            .set_number_of_retries(0)
            .set_connection_timeout(Some(LIMIT))
            .set_response_timeout(Some(LIMIT));
        let client = Client::open(place)?;
        Ok(Redis {
            connection: ConnectionManager::new_lazy_with_config(client.clone(), config)?,
            database: client.get_connection_info().redis_settings().db(),
            client,
            spend: Arc::new(Script::new(include_str!("spend.lua"))),
            prefix: prefix.into(),
            gone: Arc::default(),
            refusal: Arc::default(),
        })
    }

    pub(super) async fn answers(&self) -> bool {
        self.run::<String>(&cmd("PING")).await.is_ok()
    }

    /// Why Redis refused when it was last asked; `None` if it didn't, or gave no response.
    pub(super) fn refusal(&self) -> Option<Refusal> {
        *self.refusal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_refusal(&self, refusal: Option<Refusal>) {
        *self.refusal.lock().unwrap_or_else(PoisonError::into_inner) = refusal;
    }

    /// Asks Redis once, so that the log has it if it is wrong from the start, then checks at intervals whether a lost one is back; never returns.
    pub(super) async fn watch(&self) {
        self.answers().await;
        let mut turn = interval(LOOK_AFTER);
        turn.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            turn.tick().await;
            if self.gone.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
                self.answers().await;
            }
        }
    }

    pub(super) async fn get(&self, key: &str) -> Result<Option<Bytes>, Gone> {
        let found: Option<Vec<u8>> = self.run(cmd("GET").arg(self.key(key))).await?;
        Ok(found.map(Bytes::from))
    }

    pub(super) async fn put(&self, key: &str, value: &[u8], for_time: Duration) -> Result<(), Gone> {
        self.run(cmd("SET").arg(self.key(key)).arg(value).arg("PX").arg(millis(for_time))).await
    }

    pub(super) async fn first(&self, key: &str, within: Duration) -> Result<bool, Gone> {
        let set: Option<String> =
            self.run(cmd("SET").arg(self.key(key)).arg(1).arg("NX").arg("PX").arg(millis(within))).await?;
        Ok(set.is_some())
    }

    pub(super) async fn spend_each(&self, buckets: &[Bucket], cost: u32) -> Result<Result<(), Over>, Gone> {
        let mut spend = self.spend.prepare_invoke();
        spend.arg(cost);
        for Bucket { key, limit } in buckets {
            spend.key(self.key(key));
            match *limit {
                Limit::Rate(rate) => {
                    // Whole microseconds, so that what Redis adds up is exact.
                    let each = rate.each().as_nanos().div_ceil(1000);
                    spend.arg("rate").arg(u64::try_from(each).unwrap_or(u64::MAX)).arg(rate.burst.max(1));
                }
                Limit::Window { most, ends_in } => {
                    spend.arg("window").arg(most).arg(millis(ends_in));
                }
            }
        }
        let (place, micros): (usize, u64) =
            self.ask(async |mut connection| spend.invoke_async(&mut connection).await).await?;
        Ok(match place.checked_sub(1) {
            None => Ok(()),
            Some(place) => Err(Over { place, spent: Spent::after(Duration::from_micros(micros)) }),
        })
    }

    pub(super) async fn spent_of(&self, windows: &[String]) -> Result<Vec<u32>, Gone> {
        let mut get = redis::cmd("MGET");
        for window in windows {
            get.arg(self.key(window));
        }
        let spent: Vec<Option<u32>> = self.ask(async |mut connection| get.query_async(&mut connection).await).await?;
        Ok(spent.into_iter().map(Option::unwrap_or_default).collect())
    }

    pub(super) async fn publish(&self, channel: &str, texts: &[Bytes]) -> Result<(), Gone> {
        let mut all = pipe();
        for text in texts {
            all.publish(self.key(channel), text.as_ref()).ignore();
        }
        self.ask(async |mut connection| all.query_async(&mut connection).await).await
    }

    /// Subscribes on a separate connection: one with a subscription cannot send other commands.
    pub(super) async fn listen(&self, channel: &str) -> Result<Heard, Gone> {
        let listening = async {
            let mut connection = self.client.get_async_pubsub().await?;
            connection.subscribe(self.key(channel)).await?;
            Ok::<_, RedisError>(connection.into_on_message())
        };
        match timeout(LISTEN_LIMIT, listening).await {
            Ok(Ok(stream)) => Ok(Heard(stream)),
            Ok(Err(_)) | Err(_) => Err(Gone),
        }
    }

    async fn run<T: FromRedisValue>(&self, command: &Cmd) -> Result<T, Gone> {
        self.ask(async |mut connection| command.query_async(&mut connection).await).await
    }

    fn key(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
    }

    /// Sends one request within [`LIMIT`]. Logs once when Redis is lost, and once when it is back.
    async fn ask<T>(&self, question: impl AsyncFnOnce(ConnectionManager) -> RedisResult<T>) -> Result<T, Gone> {
        if self.resting() {
            return Err(Gone);
        }
        match timeout(LIMIT, question(self.connection.clone())).await {
            Ok(Ok(answer)) => {
                self.set_refusal(None);
                if self.set_gone(None).is_some() {
                    tracing::info!("Redis is back, so limits and caches are shared again");
                }
                Ok(answer)
            }
            Ok(Err(error)) => self.failed(cause(&error)),
            Err(_) => self.failed(Cause::Silent("no response in time".into())),
        }
    }

    fn failed<T>(&self, cause: Cause) -> Result<T, Gone> {
        self.set_refusal(match cause {
            Cause::Refused(refusal) => Some(refusal),
            Cause::Silent(_) => None,
        });
        if self.set_gone(Some(Instant::now() + AGAIN_AFTER)).is_none() {
            match cause {
                Cause::Refused(Refusal::Login) => tracing::warn!(
                    "Redis refuses the name or password. Correct it in `redis`. Until then, this node keeps its own limits and cache."
                ),
                Cause::Refused(Refusal::NoDatabase) => tracing::warn!(
                    "Redis has no database {}. Use another number in `redis`. Until then, this node keeps its own limits and cache.",
                    self.database
                ),
                Cause::Silent(cause) => tracing::warn!(
                    cause,
                    "Redis isn't responding. Until it does, this node keeps its own limits and cache."
                ),
            }
        }
        Err(Gone)
    }

    /// Whether to skip Redis now. A caller that may try moves the time forward, so that others skip it meanwhile.
    fn resting(&self) -> bool {
        let now = Instant::now();
        let mut gone = self.gone.lock().unwrap_or_else(PoisonError::into_inner);
        match *gone {
            Some(again_at) if now < again_at => true,
            Some(_) => {
                *gone = Some(now + AGAIN_AFTER);
                false
            }
            None => false,
        }
    }

    fn set_gone(&self, gone: Option<Instant>) -> Option<Instant> {
        std::mem::replace(&mut *self.gone.lock().unwrap_or_else(PoisonError::into_inner), gone)
    }
}

/// Why a Redis that responds refuses requests.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Refusal {
    /// Wrong or missing name or password.
    Login,
    /// There is no database of the number in the URL.
    NoDatabase,
}

/// Why a request failed.
#[derive(Debug, PartialEq)]
enum Cause {
    Refused(Refusal),
    /// Anything else, in words.
    Silent(String),
}

/// Kind of an error, without its text, which may contain the request.
fn cause(error: &RedisError) -> Cause {
    let unknown = matches!(error.code(), Some("NOAUTH" | "WRONGPASS"));
    Cause::Silent(match error.kind() {
        _ if unknown => return Cause::Refused(Refusal::Login),
        ErrorKind::AuthenticationFailed => return Cause::Refused(Refusal::Login),
        _ if error.detail().is_some_and(|detail| detail.contains(OUT_OF_RANGE)) => {
            return Cause::Refused(Refusal::NoDatabase);
        }
        _ if error.is_connection_refusal() => "it refuses connections".into(),
        _ if error.is_timeout() => "no response in time".into(),
        ErrorKind::Io => "the connection failed".into(),
        kind => format!("{kind:?}"),
    })
}

/// Milliseconds, at least 1, as Redis rejects 0.
fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).clamp(1, i64::MAX.unsigned_abs())
}
