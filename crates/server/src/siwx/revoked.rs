//! `GET /auth/v1/revoked/{project}`: ended sessions of a project, for back ends that verify tokens by themselves.
//!
//! The list has nothing but ids and ends of sessions. An id opens nothing and tells no account, so the list is public, as the keys are, and
//! any cache may keep it.

use super::{now, table};
use crate::error::json;
use crate::etag::{kept, tag};
use crate::guard::open::Visitor;
use crate::guard::part::InPath;
use crate::guard::project::for_back_end;
use crate::project::ProjectId;
use crate::{AppState, Failure};
use alloy_primitives::{hex, keccak256};
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use moka::future::Cache;
use portico_api::siwx::{RevokedSession, RevokedSessions};
use portico_json::to_text;
use std::sync::Arc;
use std::time::Duration;
use table::EndedRow;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// Longest list, of about a megabyte. A visitor fills at most a twentieth of it ([`table::ENDED_PER_VISITOR`]).
const MOST: usize = 20_000;

/// Time for which a node answers with the list as it read it.
const LIFETIME: Duration = Duration::from_secs(1);

/// Time for which others may keep the list.
const KEEP: HeaderValue = HeaderValue::from_static("public, max-age=5");

/// Bytes of a list for which a visitor is charged a further request.
const PER_REQUEST: usize = 64 * 1024;

/// Most projects whose lists are kept, and the time after which one that nobody asks for is dropped.
const PROJECTS: u64 = 1000;
const IDLE: Duration = Duration::from_secs(60);

/// Lists as this node last read them. Each is locked while it is read, so requests at the same time read it once.
pub(crate) struct RevokedLists(Cache<ProjectId, Arc<Mutex<Option<List>>>>);

#[derive(Clone)]
struct List {
    read_at: Instant,
    body: Bytes,
    tag: HeaderValue,
    is_complete: bool,
}

impl RevokedLists {
    pub(crate) fn new() -> RevokedLists {
        RevokedLists(Cache::builder().max_capacity(PROJECTS).time_to_idle(IDLE).build())
    }

    async fn of(&self, state: &AppState, project: &ProjectId) -> Result<List, sqlx::Error> {
        let slot = self.0.get_with_by_ref(project, async { Arc::default() }).await;
        let mut slot = slot.lock().await;
        if let Some(list) = slot.as_ref().filter(|list| list.read_at.elapsed() < LIFETIME) {
            return Ok(list.clone());
        }
        let read_at = Instant::now();
        let most = i64::try_from(MOST + 1).unwrap_or(i64::MAX);
        let rows = table::ended(state.database(), project.as_str(), now(), most).await?;
        let told = list(&rows, MOST);
        let is_complete = told.complete_from == 0;
        if !is_complete && slot.as_ref().is_none_or(|last| last.is_complete) {
            tracing::warn!(
                project = project.as_str(),
                "more sessions were ended in the last hour than the list for back ends has room for ({MOST}), so they ask about older tokens"
            );
        }
        let body = to_text(&told);
        let tag = tag(&hex::encode(&keccak256(&body)[..16]));
        let list = List { read_at, body: body.into(), tag, is_complete };
        *slot = Some(list.clone());
        Ok(list)
    }
}

pub(super) async fn revoked(
    State(state): State<AppState>,
    visitor: Visitor,
    InPath(id): InPath<String>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    // An unknown project is refused: an empty list would hide a mistyped id.
    let project = for_back_end(&state, &visitor, ProjectId::parse(&id)).await?;
    let list = state.revoked().of(&state, &project.id).await.map_err(|error| Failure::database(&error))?;
    let cost = list.body.len() / PER_REQUEST;
    let response = kept(&headers, list.tag, KEEP, json(StatusCode::OK, list.body));
    if response.status() == StatusCode::OK {
        visitor.spend(&state, cost).await?;
    }
    Ok(response)
}

/// The list of rows in the order of [`table::ended`], of which there may be more than `most`.
fn list(rows: &[EndedRow], most: usize) -> RevokedSessions {
    let seconds = |milliseconds: i64| u64::try_from(milliseconds / 1000).unwrap_or_default();
    let entry = |(id, _, end): &EndedRow| RevokedSession { jti: id.clone(), exp: seconds(*end) };
    RevokedSessions {
        revoked: rows.iter().take(most).map(entry).collect(),
        // Sessions that began in the same second as the first omitted one may be listed or not, so the list is complete from the next second.
        complete_from: rows.get(most).map_or(0, |(_, began, _)| seconds(*began) + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::Database;
    use crate::siwx::authenticate::SHORT_LIFE;
    use table::SessionRow;

    /// 2027-01-15, half a second into it.
    const NOW: i64 = 1_800_000_000_500;
    const HOUR: i64 = 3_600_000;

    /// Stores a session, with a nonce of its own.
    async fn opened(database: &Database, session: &SessionRow) {
        let used = table::UsedNonce { nonce: &session.id, expires_at: i64::MAX };
        assert!(table::open(database, used, std::slice::from_ref(session), session.created_at).await.unwrap());
    }

    /// Database with a session of each of these times, of a visitor and an account of its own.
    async fn sessions(starts: &[i64]) -> Database {
        let database = Database::empty().await.unwrap();
        database.migrate().await.unwrap();
        for (number, start) in starts.iter().enumerate() {
            let session = SessionRow {
                id: number.to_string(),
                project: "shop".into(),
                account: format!("account {number}"),
                origin: "https://shop.example".into(),
                visitor: format!("visitor {number}"),
                created_at: *start,
                expires_at: (start + HOUR) / 1000 * 1000,
            };
            opened(&database, &session).await;
        }
        database
    }

    async fn told(database: &Database, now: i64, most: usize) -> (Vec<String>, u64) {
        let rows = table::ended(database, "shop", now, i64::try_from(most + 1).unwrap()).await.unwrap();
        let RevokedSessions { revoked, complete_from } = list(&rows, most);
        (revoked.into_iter().map(|entry| entry.jti).collect(), complete_from)
    }

    #[tokio::test]
    async fn an_ended_session_leaves_the_list_a_minute_after_its_token_expired_and_the_table_at_the_next_sign_in() {
        let database = sessions(&[NOW]).await;
        assert_eq!(told(&database, NOW, 3).await, (Vec::new(), 0));
        assert_eq!(table::end(&database, "0", NOW).await.unwrap(), 1);
        assert_eq!(table::end(&database, "0", NOW).await.unwrap(), 0);
        let end = NOW / 1000 * 1000 + HOUR;
        assert_eq!(told(&database, end + table::GRACE - 1, 3).await, (vec!["0".into()], 0));
        assert_eq!(told(&database, end + table::GRACE, 3).await, (Vec::new(), 0));
        for (now, left) in [(end + table::GRACE - 1, 1), (end + table::GRACE, 0)] {
            let session = SessionRow { id: now.to_string(), created_at: now, expires_at: now, ..row() };
            opened(&database, &session).await;
            // Asked as of a time before its end, the list has the first session as long as its row is there.
            assert_eq!(told(&database, NOW, 3).await.0.len(), left, "{now}");
        }
    }

    fn row() -> SessionRow {
        SessionRow {
            id: String::new(),
            project: "other".into(),
            account: String::new(),
            origin: String::new(),
            visitor: String::new(),
            created_at: 0,
            expires_at: 0,
        }
    }

    #[tokio::test]
    async fn a_full_list_says_from_which_start_on_it_has_all_sessions() {
        let second = 1000;
        let database = sessions(&[NOW, NOW + second, NOW + second + 100, NOW + 2 * second]).await;
        assert_eq!(table::end_all(&database, NOW + 3 * second).await.unwrap(), 4);
        let now = NOW + 3 * second;
        let ids = |ids: &[&str]| ids.iter().map(ToString::to_string).collect::<Vec<_>>();
        let seconds = |milliseconds: i64| u64::try_from(milliseconds / 1000).unwrap();
        assert_eq!(told(&database, now, 4).await, (ids(&["3", "2", "1", "0"]), 0));
        assert_eq!(told(&database, now, 3).await, (ids(&["3", "2", "1"]), seconds(NOW) + 1));
        // Sessions 1 and 2 began in the same second, of which one is omitted: it isn't complete from that second on.
        assert_eq!(told(&database, now, 2).await, (ids(&["3", "2"]), seconds(NOW) + 2));
        assert_eq!(told(&database, now, 0).await, (Vec::new(), seconds(NOW) + 3));
    }

    /// Session of one visitor, open from this time on for this long.
    fn session_of(account: &str, created_at: i64, life: i64) -> SessionRow {
        let id = format!("{account} {created_at}");
        let (account, expires_at) = (account.into(), created_at + life);
        SessionRow { id, project: "shop".into(), visitor: "one".into(), account, created_at, expires_at, ..row() }
    }

    #[tokio::test]
    async fn a_visitor_s_share_is_spent_by_ended_sessions_until_the_first_of_them_leaves_the_list() {
        let database = sessions(&[]).await;
        for number in 0..table::ENDED_PER_VISITOR {
            let spent = table::share_spent_until(&database, "one", NOW + number).await.unwrap();
            assert_eq!(spent, None, "{number}");
            opened(&database, &session_of("own", NOW + number, HOUR)).await;
            assert_eq!(table::end(&database, &format!("own {}", NOW + number), NOW + number).await.unwrap(), 1);
        }
        let free = NOW + HOUR + table::GRACE;
        for (visitor, now, until) in [
            ("one", NOW + 1000, Some(free)),
            ("one", free - 1, Some(free)),
            ("one", free, None),
            ("two", NOW + 1000, None),
        ] {
            assert_eq!(table::share_spent_until(&database, visitor, now).await.unwrap(), until, "{visitor} {now}");
        }
    }

    #[tokio::test]
    async fn open_sessions_take_nothing_from_a_visitor_s_share() {
        let database = sessions(&[]).await;
        for number in 0..table::PER_ACCOUNT {
            opened(&database, &session_of("own", NOW + number, HOUR)).await;
        }
        assert_eq!(told(&database, NOW + 1000, MOST).await.0, [""; 0]);
        assert_eq!(table::share_spent_until(&database, "one", NOW + 1000).await.unwrap(), None);
    }

    #[tokio::test]
    async fn many_sessions_of_one_account_or_of_many_accounts_end_none_of_a_neighbour_behind_the_same_address() {
        let database = sessions(&[]).await;
        opened(&database, &session_of("neighbour", NOW, HOUR)).await;
        for number in 1..=2 * table::PER_ACCOUNT {
            opened(&database, &session_of("greedy", NOW + number, HOUR)).await;
        }
        for number in 1..=200 {
            opened(&database, &session_of(&format!("fresh {number}"), NOW + number, HOUR)).await;
        }
        let now = NOW + 1000;
        assert!(table::is_open(&database, &format!("neighbour {NOW}"), now).await.unwrap());
        assert!(table::is_open(&database, &format!("greedy {}", NOW + 2 * table::PER_ACCOUNT), now).await.unwrap());
        let open = table::list(&database, None, now, 1000).await.unwrap().len();
        assert_eq!(i64::try_from(open).unwrap(), 1 + table::PER_ACCOUNT + 200);
    }

    #[tokio::test]
    async fn a_visitor_who_signs_in_and_out_at_the_rate_limit_fills_at_most_a_twentieth_of_the_list() {
        let database = sessions(&[]).await;
        let mut longest = 0;
        // A burst of 200 sign-ins, then one a second, for longer than the share lasts and a short session lives.
        for number in 0..1200 {
            let now = NOW + (number - 200).max(0) * 1000 + number % 200;
            let spent = table::share_spent_until(&database, "one", now).await.unwrap();
            let life = if spent.is_some() { SHORT_LIFE } else { HOUR };
            let session = SessionRow { id: number.to_string(), ..session_of("own", now, life) };
            opened(&database, &session).await;
            assert_eq!(table::end(&database, &session.id, now).await.unwrap(), 1);
            if number % 50 == 0 {
                longest = longest.max(told(&database, now, MOST).await.0.len());
            }
        }
        // The share of 300, and the short sessions of six minutes.
        assert!((600..=MOST / 20).contains(&longest), "{longest}");
    }
}
