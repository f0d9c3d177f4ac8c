//! Analytics sink: `POST /e` for one event, `POST /batch` for a list (spec 7.2).
//!
//! Off until the operator enables it. Neither the visitor's IP address nor anything derived from it is stored.

mod event;
pub(crate) mod export;
pub(crate) mod retention;
mod table;

pub(crate) use table::{Most, Wanted};

use crate::error::json;
use crate::guard::body;
use crate::guard::project::Project;
use crate::shared::{Bucket, Limit, Rate};
use crate::{AppState, Failure};
use axum::Router;
use axum::extract::{FromRequestParts, Query, Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use axum::routing::post;
use event::Event;
use portico_api::analytics::Taken;
use portico_json::Value;
use serde::Deserialize;

/// Maximum number of events in a batch.
const MOST_IN_BATCH: usize = 100;

/// Maximum size of the body, in bytes: parsed JSON takes many times its size in memory.
const LIMIT: usize = 1024 * 1024;

/// Maximum length of the SDK's type and version, in bytes: they are stored with each event.
const LONGEST_SDK: usize = 256;

pub(crate) fn router() -> Router<AppState> {
    Router::new().route("/e", post(one)).route("/batch", post(several))
}

/// SDK that sent the events: type and version.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Sdk {
    st: String,
    sv: String,
}

impl FromRequestParts<AppState> for Sdk {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _state: &AppState) -> Result<Sdk, Failure> {
        let Query(sdk) = Query::<Sdk>::try_from_uri(&parts.uri)
            .map_err(|_| Failure::parameter("query", "Send each parameter of the query once, as UTF-8 text"))?;
        for (field, text) in [("st", &sdk.st), ("sv", &sdk.sv)] {
            // PostgreSQL cannot store NUL.
            if text.len() > LONGEST_SDK || text.contains('\0') {
                return Err(Failure::parameter(
                    field,
                    format!("Shorten `{field}` to {LONGEST_SDK} bytes, without NUL"),
                ));
            }
        }
        Ok(sdk)
    }
}

async fn one(State(state): State<AppState>, project: Project, sdk: Sdk, request: Request) -> Result<Response, Failure> {
    let event = read(&state, &project, request).await?;
    keep(&state, &project, &sdk, &[event]).await
}

async fn several(
    State(state): State<AppState>,
    project: Project,
    sdk: Sdk,
    request: Request,
) -> Result<Response, Failure> {
    let Value::List(events) = read(&state, &project, request).await? else {
        return Err(Failure::parameter("body", "Send the body as a list of events"));
    };
    if events.len() > MOST_IN_BATCH {
        let found = events.len();
        return Err(Failure::parameter("body", format!("Send at most {MOST_IN_BATCH} events at once, not {found}")));
    }
    keep(&state, &project, &sdk, &events).await
}

async fn read(state: &AppState, project: &Project, request: Request) -> Result<Value, Failure> {
    let mut share = state.memory().of(project.visitor()).share();
    let body = body::read(request, &mut share).await?;
    if body.len() > LIMIT {
        return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "body", "Send at most 1 MiB in the body"));
    }
    let text = std::str::from_utf8(&body).map_err(|_| Failure::parameter("body", "Send the body as UTF-8 text"))?;
    portico_json::parse(text).map_err(|_| Failure::parameter("body", "Send the body as JSON"))
}

/// Started KiB of events that one visitor may send: this many at once, and one a second. In half a year that is a third of the events of all
/// by default, and of the bytes.
const VISITOR: Rate = Rate { per_second: 1.0, burst: 300 };

/// Stores all events, or none if one is invalid, or if the visitor or the table has its fill. A widget that receives the count 0 stops
/// sending.
async fn keep(state: &AppState, project: &Project, sdk: &Sdk, events: &[Value]) -> Result<Response, Failure> {
    let events: Vec<Event> = events.iter().map(Event::read).collect::<Result<_, _>>()?;
    let Some(most) = state.analytics() else { return Ok(taken(0)) };
    // The request itself has been charged.
    project.spend(state, events.len().saturating_sub(1)).await?;
    if let Some(visitor) = project.visitor() {
        let bucket = Bucket { key: format!("analytics:{visitor}"), limit: Limit::Rate(VISITOR) };
        let cost = u32::try_from(events.iter().map(Event::kibibytes).sum::<usize>()).unwrap_or(u32::MAX);
        if state.shared().spend_each(&[bucket], cost).await.is_err() {
            return Ok(taken(0));
        }
    }
    let kept = table::insert(state.database(), project.id(), [&sdk.st, &sdk.sv], &events, most).await;
    if kept.map_err(|error| Failure::database(&error))? {
        return Ok(taken(events.len()));
    }
    tracing::error!(
        ?most,
        "events aren't stored because their table is full. Raise `analytics.most_events` and `analytics.most_mib`, or keep events for fewer days."
    );
    Ok(taken(0))
}

fn taken(count: usize) -> Response {
    let taken = Taken { taken: u32::try_from(count).unwrap_or(u32::MAX) };
    json(StatusCode::ACCEPTED, portico_json::to_text(&taken))
}
