//! In whose name a request is made, and whether it may be.

use super::client::Client;
use super::limits;
use crate::config::Method;
use crate::project::origin::Origin;
use crate::project::{Entry, ProjectId};
use crate::{AppState, Failure};
use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use portico_terms::ChainId;
use reqwest::Url;
use serde::Deserialize;
use std::convert::Infallible;
use std::sync::Arc;

/// Carries the project id where the query does not.
const PROJECT_ID: HeaderName = HeaderName::from_static("x-project-id");

/// Proves that a server of the project asks. Pages cannot send it: CORS does not allow it.
const SECRET: HeaderName = HeaderName::from_static("x-project-secret");

/// Whether a browser asks for a page of ours, where it sends no `Origin` (Fetch Metadata).
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// A project that may ask, from where it asks, as often as it asks.
///
/// Extracting it answers 401 where the request names no project that is here, 403 where its page is not allowed and 429 where too much was
/// asked; and it costs 1. What asks for much at once spends the rest with [`Project::spend`].
pub(crate) struct Project {
    entry: Arc<Entry>,
    /// None for one that knows the secret: a host's own server asks for all its visitors.
    client: Option<Client>,
}

/// Who asks, before anything is known of the project: for routes that carry its id in the path or the body.
pub(crate) struct Asker {
    named: Named,
    page: Page,
    secret: Option<String>,
    client: Client,
}

/// How the query or the header name the project.
enum Named {
    By(ProjectId),
    Not,
    Wrongly,
}

/// Where a request comes from, as far as it says so.
enum Page {
    /// A page that this server serves.
    Own,
    Of(Origin),
    /// No page: an app that says which it is.
    App,
    Unsaid,
}

impl Project {
    /// All that is known of it.
    pub(crate) fn entry(&self) -> &Entry {
        &self.entry
    }

    /// Its id.
    pub(crate) fn id(&self) -> &str {
        self.entry.id.as_str()
    }

    /// The visitor; none where a host's own server asks for all of its.
    pub(crate) fn client(&self) -> Option<&Client> {
        self.client.as_ref()
    }

    /// 400 where the project may not ask for this chain. Not 403, which widgets read as a refusal of the page (spec 8.43).
    pub(crate) fn allow_chain(&self, chain: &ChainId) -> Result<(), Failure> {
        if self.entry.allows_chain(chain) {
            return Ok(());
        }
        Err(Failure::parameter("chainId", format!("The chain {chain} is not allowed for this project")))
    }

    /// The methods of JSON-RPC it may call; all that are passed on where there is none.
    pub(crate) fn methods(&self) -> &[Method] {
        &self.entry.methods
    }

    /// Pays for more than one request, such as the other calls of a batch. 429 where there is not as much left.
    pub(crate) async fn spend(&self, state: &AppState, cost: usize) -> Result<(), Failure> {
        limits::spend(state, &self.entry, self.client.as_ref(), cost).await
    }
}

impl FromRequestParts<AppState> for Project {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Project, Failure> {
        Asker::of(parts, state).project(state, None).await
    }
}

impl FromRequestParts<AppState> for Asker {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Asker, Infallible> {
        Ok(Asker::of(parts, state))
    }
}

impl Asker {
    fn of(parts: &Parts, state: &AppState) -> Asker {
        Asker {
            named: named(parts),
            page: page(&parts.headers, state.static_files().is_some()),
            secret: text(&parts.headers, &SECRET).map(str::to_owned),
            client: Client::of(parts, state.limits()),
        }
    }

    /// The same of an app that is no page: one that names its bundle or its package is taken where it says no origin, and what names an
    /// origin in its query is of that origin. Nothing that is not a browser can be made to tell the truth about it.
    pub(crate) fn of_app(mut self, named: bool, origin: Option<&str>) -> Asker {
        if matches!(self.page, Page::Unsaid) {
            match origin.and_then(Origin::parse) {
                Some(origin) => self.page = Page::Of(origin),
                None if named => self.page = Page::App,
                None => {}
            }
        }
        self
    }

    /// Whether the query or the header name a project, rightly or wrongly.
    pub(crate) fn is_named(&self) -> bool {
        !matches!(self.named, Named::Not)
    }

    /// The project that the query or the header name, or else the body of the request does.
    pub(crate) async fn project(self, state: &AppState, in_body: Option<&str>) -> Result<Project, Failure> {
        let id = match (self.named, in_body) {
            (Named::By(id), _) => id,
            (Named::Not, Some(text)) => ProjectId::parse(text).ok_or_else(malformed)?,
            (Named::Not, None) => return Err(unnamed()),
            (Named::Wrongly, _) => return Err(malformed()),
        };
        let entry = known(state, &id).await?;
        let client = match self.secret {
            Some(secret) if entry.has_secret(&secret) => None,
            Some(_) => return Err(unauthorized("x-project-secret", "The secret is not that of this project")),
            None => {
                self.page.allowed_by(&entry)?;
                Some(self.client)
            }
        };
        let project = Project { entry, client };
        project.spend(state, 1).await?;
        Ok(project)
    }

    /// The project that the query or the header name, only looked at: by pages of any origin.
    pub(crate) async fn looks_at_named(mut self, state: &AppState) -> Result<Arc<Entry>, Failure> {
        match std::mem::replace(&mut self.named, Named::Not) {
            Named::By(id) => self.looks_at(state, Some(id)).await.map(|(entry, _)| entry),
            Named::Not => Err(unnamed()),
            Named::Wrongly => Err(malformed()),
        }
    }

    /// A project that is only looked at, and whether the asking page may use it.
    pub(crate) async fn looks_at(self, state: &AppState, id: Option<ProjectId>) -> Result<(Arc<Entry>, bool), Failure> {
        let entry = known(state, &id.ok_or_else(malformed)?).await?;
        limits::spend(state, &entry, Some(&self.client), 1).await?;
        let allowed = self.page.allowed_by(&entry).is_ok();
        Ok((entry, allowed))
    }
}

/// Whether the page that asks is on the list of the project that the query or the header names. A browser that asks before it asks names
/// the project in the query alone.
pub(crate) async fn is_listed(parts: &Parts, state: &AppState) -> bool {
    let asker = Asker::of(parts, state);
    let Named::By(id) = asker.named else { return false };
    known(state, &id).await.is_ok_and(|entry| asker.page.allowed_by(&entry).is_ok())
}

impl Page {
    /// The words begin with those that widgets know (spec 8.49).
    fn allowed_by(&self, entry: &Entry) -> Result<(), Failure> {
        let refuse = |description: String| Err(Failure::new(StatusCode::FORBIDDEN, "origin", description));
        match self {
            Page::Own | Page::App => Ok(()),
            Page::Of(origin) if entry.allows_origin(Some(origin)) => Ok(()),
            Page::Of(origin) => refuse(format!("origin not allowed: {origin} is not on the list of the project")),
            Page::Unsaid if entry.allows_origin(None) => Ok(()),
            Page::Unsaid => {
                refuse("origin not allowed: what is no page of a listed origin needs x-project-secret".into())
            }
        }
    }
}

#[derive(Deserialize)]
struct ProjectQuery {
    #[serde(rename = "projectId")]
    project_id: Option<String>,
}

fn named(parts: &Parts) -> Named {
    let Ok(Query(asked)) = Query::<ProjectQuery>::try_from_uri(&parts.uri) else { return Named::Wrongly };
    let in_header = || parts.headers.get(PROJECT_ID).map(|value| value.to_str().unwrap_or_default().to_owned());
    match asked.project_id.or_else(in_header) {
        Some(text) => ProjectId::parse(&text).map_or(Named::Wrongly, Named::By),
        None => Named::Not,
    }
}

/// A page is known by `Origin`; where a browser sends none (images, and whatever a page asks of its own server), by `Referer`.
fn page(headers: &HeaderMap, serves_pages: bool) -> Page {
    let own_site = text(headers, &FETCH_SITE) == Some("same-origin");
    let origin = match text(headers, &header::ORIGIN) {
        Some(origin) => Origin::parse(origin),
        None if own_site && serves_pages => return Page::Own,
        None => {
            let referer = text(headers, &header::REFERER);
            referer.and_then(|referer| Url::parse(referer).ok()).and_then(|url| Origin::of(&url))
        }
    };
    let Some(origin) = origin else { return Page::Unsaid };
    let own = serves_pages && text(headers, &header::HOST).is_some_and(|host| origin.is_of_host(host));
    if own { Page::Own } else { Page::Of(origin) }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

async fn known(state: &AppState, id: &ProjectId) -> Result<Arc<Entry>, Failure> {
    let found = state.projects().get(state.database(), id).await.map_err(|error| Failure::database(&error))?;
    match found {
        Some(entry) if entry.disabled_at.is_none() => Ok(entry),
        Some(_) => Err(unauthorized("projectId", "invalid key: the project is disabled")),
        None => Err(unauthorized("projectId", "invalid key: there is no project of this id")),
    }
}

/// The descriptions begin with the words by which widgets choose their alert: "invalid key" (spec 8.45, 8.49), "Project ID is missing" (8.46).
fn unauthorized(field: &str, description: &str) -> Failure {
    Failure::new(StatusCode::UNAUTHORIZED, field, description)
}

fn unnamed() -> Failure {
    unauthorized("projectId", "Project ID is missing: the query or the header x-project-id must carry it")
}

fn malformed() -> Failure {
    unauthorized("projectId", "invalid key: the project id must be 1 to 64 letters, digits, hyphens or underscores")
}
