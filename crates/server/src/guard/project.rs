//! Project of a request, and whether the request may use it.

use super::client::Client;
use super::limits;
use super::open::Visitor;
use crate::config::Method;
use crate::error::Refusal;
use crate::project::origin::Origin;
use crate::project::{Entry, ProjectId};
use crate::{AppState, Failure, visitors};
use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use portico_terms::ChainId;
use reqwest::Url;
use serde::Deserialize;
use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;

/// Header with the project id, used if the query has none.
const PROJECT_ID: HeaderName = HeaderName::from_static("x-project-id");

/// Header that authenticates a server of the project. Pages cannot send it, as CORS does not allow it.
const SECRET: HeaderName = HeaderName::from_static("x-project-secret");

/// Fetch Metadata header that shows a request from a page of this server when the browser sends no `Origin`.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// An authorized project, with its origin and rate limits checked.
///
/// Extracting it answers 401 if the request names no known project, 403 if its page is not allowed and 429 if a limit is exceeded; it
/// charges 1. A request that costs more charges the rest with [`Project::spend`].
pub(crate) struct Project {
    entry: Arc<Entry>,
    /// The visitor; `None` with a valid secret, as a host's own server sends requests for all its visitors.
    client: Option<Client>,
    page: Page,
}

/// Sender of a request before its project is resolved: for routes with the project id in the path or the body.
pub(crate) struct Asker {
    named: Named,
    page: Page,
    secret: Option<String>,
    client: Client,
}

/// Marks a request from a page of this server on another listener, which that listener has checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnPage;

/// Project id in the query or the header.
enum Named {
    By(ProjectId),
    Not,
    Wrongly,
}

/// Origin of a request, as far as the request reveals it.
enum Page {
    /// A page served by this server, with its origin if the browser sent it.
    Own(Option<Origin>),
    Of(Origin),
    /// Not a page: an app that identifies itself.
    App,
    /// A page without an origin of its own, such as a sandboxed frame (`Origin: null`).
    Opaque,
    Unsaid,
}

impl Project {
    /// Stored data of the project.
    pub(crate) fn entry(&self) -> &Entry {
        &self.entry
    }

    pub(crate) fn id(&self) -> &str {
        self.entry.id.as_str()
    }

    /// The visitor; `None` for a host's own server, which sends requests for all its visitors.
    pub(crate) fn client(&self) -> Option<&Client> {
        self.client.as_ref()
    }

    /// Address that the visitor's shares are counted by; `None` as for [`Project::client`].
    pub(crate) fn visitor(&self) -> Option<IpAddr> {
        self.client.map(Client::address)
    }

    /// Answers 400 if the chain is not allowed for the project. Not 403, which widgets read as a rejected page (spec 8.43).
    pub(crate) fn allow_chain(&self, chain: &ChainId) -> Result<(), Failure> {
        if self.entry.allows_chain(chain) {
            return Ok(());
        }
        Err(Failure::parameter("chainId", format!("The chain {chain} isn't allowed for this project")))
    }

    /// Allowlist of JSON-RPC methods; if empty, every method that the server forwards is allowed.
    pub(crate) fn methods(&self) -> &[Method] {
        &self.entry.methods
    }

    /// Origin of the requesting page, if the request reveals it.
    pub(crate) fn origin(&self) -> Option<String> {
        match &self.page {
            Page::Own(Some(origin)) | Page::Of(origin) => Some(origin.to_string()),
            _ => None,
        }
    }

    /// Checks that a text which a visitor signed for a page is for the page of this request or, if the request reveals no origin, for one
    /// that the project allows. The error is a sentence with the expected origin.
    pub(crate) fn is_for(&self, uri: &str) -> Result<(), String> {
        if let Page::Own(Some(origin)) | Page::Of(origin) = &self.page
            && origin.to_string() != uri
        {
            return Err(format!("The message is for {uri:?}, but this request comes from {origin}"));
        }
        if matches!(self.page, Page::Opaque) {
            return Err(format!("The message is for {uri:?}, but this request comes from a page without an origin"));
        }
        let allowed =
            Origin::parse(uri).is_some_and(|page| page.to_string() == uri && self.entry.allows_origin(Some(&page)));
        if allowed || matches!(self.page, Page::Own(Some(_))) {
            return Ok(());
        }
        let origins: Vec<String> = self.entry.origins.iter().map(ToString::to_string).collect();
        Err(format!("The message is for {uri:?}, but this project's pages are {}", origins.join(", ")))
    }

    /// Charges the rest of a request that costs more than 1, such as a batch. Answers 429 if less is left.
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
            page: match parts.extensions.get::<OwnPage>() {
                Some(OwnPage) => Page::Own(None),
                None => page(&parts.headers, state.static_files().is_some(), state.public_origin()),
            },
            secret: text(&parts.headers, &SECRET).map(str::to_owned),
            client: Client::of(parts, state.limits()),
        }
    }

    /// Adapts a request without an origin, such as one from a native app: it belongs to the origin in its query, if any, and else counts
    /// as an app if it names a bundle or package (`named`). Both can be forged, as only browsers report a reliable origin.
    pub(crate) fn of_app(mut self, named: bool, origin: Option<&str>) -> Asker {
        if matches!(self.page, Page::Opaque | Page::Unsaid) {
            match origin.and_then(Origin::parse) {
                Some(origin) => self.page = Page::Of(origin),
                None if named => self.page = Page::App,
                None => {}
            }
        }
        self
    }

    /// Address that the visitor's shares are counted by, also of a request whose secret is not checked yet.
    pub(crate) fn visitor(&self) -> IpAddr {
        self.client.address()
    }

    /// Whether the query or the header contains a project id, valid or not.
    pub(crate) fn is_named(&self) -> bool {
        !matches!(self.named, Named::Not)
    }

    /// Authorizes the project in the query or the header, or else in the body of the request. A refusal is charged to the visitor, since
    /// no project is.
    pub(crate) async fn project(self, state: &AppState, in_body: Option<&str>) -> Result<Project, Failure> {
        let client = self.client;
        let project = match self.authorized(state, in_body).await {
            Ok(project) => project,
            Err(failure) => return Err(refused(state, client, failure).await),
        };
        project.spend(state, 1).await?;
        Ok(project)
    }

    async fn authorized(self, state: &AppState, in_body: Option<&str>) -> Result<Project, Failure> {
        let id = match (self.named, in_body) {
            (Named::By(id), _) => id,
            (Named::Not, Some(text)) => ProjectId::parse(text).ok_or_else(malformed)?,
            (Named::Not, None) => return Err(unnamed()),
            (Named::Wrongly, _) => return Err(malformed()),
        };
        let entry = known(state, &id, self.client).await?;
        let client = match self.secret {
            Some(secret) if entry.has_secret(&secret) => {
                visitors::is_of_many();
                None
            }
            Some(_) => {
                let failure = unauthorized("x-project-secret", "Wrong project secret");
                return Err(because(failure, "wrong project secret", Some(&id)));
            }
            None => {
                self.page.allowed_by(&entry).inspect_err(|_| state.projects().count_stranger(&id))?;
                Some(self.client)
            }
        };
        Ok(Project { entry, client, page: self.page })
    }

    /// The project in the query or the header, for read-only access by pages of any origin.
    pub(crate) async fn looks_at_named(mut self, state: &AppState) -> Result<Arc<Entry>, Failure> {
        match std::mem::replace(&mut self.named, Named::Not) {
            Named::By(id) => self.looks_at(state, Some(id)).await.map(|(entry, _)| entry),
            Named::Not => Err(refused(state, self.client, unnamed()).await),
            Named::Wrongly => Err(refused(state, self.client, malformed()).await),
        }
    }

    /// A project for read-only access, and whether the requesting page may use it.
    pub(crate) async fn looks_at(self, state: &AppState, id: Option<ProjectId>) -> Result<(Arc<Entry>, bool), Failure> {
        let found = match id {
            Some(id) => known(state, &id, self.client).await,
            None => Err(malformed()),
        };
        let entry = match found {
            Ok(entry) => entry,
            Err(failure) => return Err(refused(state, self.client, failure).await),
        };
        limits::spend(state, &entry, Some(&self.client), 1).await?;
        let allowed = self.page.allowed_by(&entry).is_ok();
        // A widget asks this first, and goes no further.
        if !allowed && matches!(self.page, Page::Of(_)) {
            state.projects().count_stranger(&entry.id);
        }
        Ok((entry, allowed))
    }
}

/// Whether the requesting page is on the allowlist of the project in the query or the header. A CORS preflight can carry the project
/// in the query only.
pub(crate) async fn is_listed(parts: &Parts, state: &AppState) -> bool {
    let asker = Asker::of(parts, state);
    let Named::By(id) = asker.named else { return false };
    known(state, &id, asker.client).await.is_ok_and(|entry| asker.page.allowed_by(&entry).is_ok())
}

/// A project that is not disabled, for public data that its back ends read again and again. Only the visitor is charged, so a spent quota of
/// the project does not stop them.
pub(crate) async fn for_back_end(
    state: &AppState,
    visitor: &Visitor,
    id: Option<ProjectId>,
) -> Result<Arc<Entry>, Failure> {
    known(state, &id.ok_or_else(malformed)?, visitor.client()).await
}

impl Page {
    /// Checks the page against the project. The error texts begin with words that widgets recognize (spec 8.49).
    fn allowed_by(&self, entry: &Entry) -> Result<(), Failure> {
        let refuse = |description: String| {
            let origin = match self {
                Page::Of(origin) => Some(origin.to_string().chars().take(LONGEST_LOGGED).collect()),
                _ => None,
            };
            let project = Some(entry.id.as_str().into());
            let refusal = Refusal { reason: "origin not allowed", project, origin };
            Err(Failure::new(StatusCode::FORBIDDEN, "origin", description).because(refusal))
        };
        match self {
            Page::Own(_) | Page::App => Ok(()),
            Page::Of(origin) if entry.allows_origin(Some(origin)) => Ok(()),
            Page::Of(origin) => refuse(format!("origin not allowed: {origin} isn't on the project's list")),
            Page::Opaque | Page::Unsaid if entry.allows_origin(None) => Ok(()),
            Page::Opaque | Page::Unsaid => refuse(
                "origin not allowed: add x-project-secret, or send this from a page on the project's list".into(),
            ),
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

/// Origin from `Origin`, or from `Referer` where browsers send no `Origin` (images, and same-origin requests).
///
/// A page with the host of the request is the server's own if the server has a folder of pages. Without one it still has the page that tries
/// its routes: that is at the public URL, or at a host that no name server can point to this server.
fn page(headers: &HeaderMap, serves_pages: bool, public: Option<&Origin>) -> Page {
    let own_site = text(headers, &FETCH_SITE) == Some("same-origin");
    let origin = match text(headers, &header::ORIGIN) {
        Some(origin) => match Origin::parse(origin) {
            Some(origin) => Some(origin),
            None => return Page::Opaque,
        },
        None if own_site && serves_pages => return Page::Own(None),
        None => {
            let referer = text(headers, &header::REFERER);
            referer.and_then(|referer| Url::parse(referer).ok()).and_then(|url| Origin::of(&url))
        }
    };
    let Some(origin) = origin else { return Page::Unsaid };
    let same_host = || text(headers, &header::HOST).is_some_and(|host| origin.is_of_host(host));
    let own = public == Some(&origin) || (serves_pages || origin.has_fixed_host()) && same_host();
    if own { Page::Own(Some(origin)) } else { Page::Of(origin) }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// The refusal, or 429 if the visitor is refused too often.
async fn refused(state: &AppState, client: Client, refusal: Failure) -> Failure {
    limits::spend_open(state, client, 1).await.err().unwrap_or(refusal)
}

/// A project that is not disabled. The visitor is charged where it must be read from the database.
async fn known(state: &AppState, id: &ProjectId, client: Client) -> Result<Arc<Entry>, Failure> {
    if state.projects().cached(id).is_none() {
        limits::spend_open(state, client, 1).await?;
    }
    let found = state.projects().get(state.database(), id).await.map_err(|error| Failure::database(&error))?;
    match found {
        Some(entry) if entry.disabled_at.is_none() => Ok(entry),
        Some(_) => {
            let failure = unauthorized("projectId", "invalid key: the project is disabled");
            Err(because(failure, "the project is disabled", Some(id)))
        }
        None => {
            let failure = unauthorized("projectId", "invalid key: no project has this id");
            Err(because(failure, "no project has this id", Some(id)))
        }
    }
}

/// Longest part of an origin in the log.
const LONGEST_LOGGED: usize = 100;

fn because(failure: Failure, reason: &'static str, project: Option<&ProjectId>) -> Failure {
    failure.because(Refusal { reason, project: project.map(|id| id.as_str().into()), origin: None })
}

/// The descriptions begin with texts by which widgets choose their alert: "invalid key" (spec 8.45, 8.49), "Project ID is missing" (8.46).
fn unauthorized(field: &str, description: &str) -> Failure {
    Failure::new(StatusCode::UNAUTHORIZED, field, description)
}

fn unnamed() -> Failure {
    let failure = unauthorized("projectId", "Project ID is missing: add it to the query, or as header x-project-id");
    because(failure, "no project id", None)
}

fn malformed() -> Failure {
    let failure =
        unauthorized("projectId", "invalid key: use 1 to 64 letters, digits, hyphens or underscores as project id");
    because(failure, "malformed project id", None)
}
