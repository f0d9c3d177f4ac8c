//! Files of the frame. Their path carries the hash of all of them, so that what a browser has under a path never changes.

use super::Wallet;
use crate::guard::open::Visitor;
use crate::guard::project::Asker;
use crate::project::origin::Origin;
use crate::project::{Entry, ProjectId};
use crate::{AppState, Failure};
use axum::body::Bytes;
use axum::extract::{Extension, Path as UrlPath, Query, RawQuery, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use ring::digest::{Context, SHA256};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The page; all other files are loaded by it.
const PAGE: &str = "index.html";

/// All files together, in bytes.
const LARGEST: u64 = 64 * 1024 * 1024;

const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// What the page may load and do: its own files and requests to its own origin.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    require-trusted-types-for 'script'";
const PERMISSIONS: &str = "accelerometer=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), fullscreen=(), \
    geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), picture-in-picture=(), \
    screen-wake-lock=(), serial=(), usb=(), web-share=(), xr-spatial-tracking=(), \
    publickey-credentials-get=(self), publickey-credentials-create=(self), storage-access=(self), clipboard-write=(self)";

/// The folder of the frame cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// A file cannot be read.
    #[error("Couldn't read the frame's folder {0}: {1}")]
    Read(String, io::Error),
    /// It is not the folder of the frame.
    #[error("Can't use the frame's folder {0}. It has more than 64 MiB, or names that aren't UTF-8.")]
    Form(String),
}

/// The files in memory, by path.
pub(super) struct Frame {
    hash: String,
    files: BTreeMap<String, File>,
}

struct File {
    text: Bytes,
    /// Compressed by Brotli, if there is a `.br` beside it.
    brotli: Option<Bytes>,
}

impl Frame {
    pub(super) fn read(folder: &Path) -> Result<Frame, FrameError> {
        let name = || folder.display().to_string();
        let mut found = BTreeMap::new();
        let whole = walk(folder, "", &mut found).map_err(|error| FrameError::Read(name(), error))?;
        if !whole || found.values().map(|text: &Bytes| text.len() as u64).sum::<u64>() > LARGEST {
            return Err(FrameError::Form(name()));
        }
        let compressed = |path: &str| found.get(&format!("{path}.br")).cloned();
        let plain = |path: &str| path.strip_suffix(".br").is_none_or(|path| !found.contains_key(path));
        let files: BTreeMap<String, File> = found
            .iter()
            .filter(|(path, _)| plain(path))
            .map(|(path, text)| (path.clone(), File { text: text.clone(), brotli: compressed(path) }))
            .collect();
        let mut digest = Context::new(&SHA256);
        for (path, file) in &files {
            digest.update(path.as_bytes());
            digest.update(&[0]);
            digest.update(&(file.text.len() as u64).to_be_bytes());
            digest.update(&file.text);
        }
        let hash = digest.finish().as_ref().iter().fold(String::new(), |mut text, byte| {
            // Writing to a String cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        });
        Ok(Frame { hash, files })
    }

    pub(super) fn hash(&self) -> &str {
        &self.hash
    }
}

/// Reads all files below a folder; false if a name is not UTF-8.
fn walk(folder: &Path, before: &str, found: &mut BTreeMap<String, Bytes>) -> io::Result<bool> {
    let mut whole = true;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else {
            whole = false;
            continue;
        };
        let (kind, path) = (entry.file_type()?, format!("{before}{name}"));
        if kind.is_dir() {
            whole &= walk(&entry.path(), &format!("{path}/"), found)?;
        } else if kind.is_file() && entry.metadata()?.len() <= LARGEST {
            found.insert(path, std::fs::read(entry.path())?.into());
        }
    }
    Ok(whole)
}

/// Query of the page's address (spec 7.11).
#[derive(Deserialize)]
struct Asked {
    #[serde(rename = "projectId")]
    project: String,
    /// Origin of the host page.
    host: String,
    version: String,
}

/// Redirects to the path of the present files, and keeps the query.
pub(super) async fn latest(
    Extension(wallet): Extension<Arc<Wallet>>,
    _: Visitor,
    RawQuery(query): RawQuery,
) -> Result<Response, Failure> {
    let frame = wallet.frame.as_ref().ok_or_else(crate::no_such_path)?;
    let query = query.map_or(String::new(), |query| format!("?{query}"));
    Ok(Redirect::temporary(&format!("/frame/v4/{}/{PAGE}{query}", frame.hash)).into_response())
}

/// Serves a file. The page can be framed by the pages of its project alone.
pub(super) async fn serve(
    State(state): State<AppState>,
    Extension(wallet): Extension<Arc<Wallet>>,
    UrlPath((hash, path)): UrlPath<(String, String)>,
    uri: Uri,
    headers: HeaderMap,
    asker: Asker,
) -> Result<Response, Failure> {
    let frame = wallet.frame.as_ref().filter(|frame| frame.hash == hash).ok_or_else(crate::no_such_path)?;
    let file = frame.files.get(&path).ok_or_else(crate::no_such_path)?;
    let mut response = respond(file, &path, &headers);
    if !path.ends_with(".html") {
        // A worker has the policy of its own script, not that of the page: the one with the keys reaches this origin alone, too.
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(FOR_EVER));
        return Ok(response);
    }
    let asked = Query::<Asked>::try_from_uri(&uri);
    let Ok(Query(asked)) = asked else {
        return Err(Failure::parameter("projectId", "The address of the frame needs projectId, host and version"));
    };
    if asked.version != portico_api::frame::VERSION {
        let sentence = format!("The version of the frame is {}", portico_api::frame::VERSION);
        return Err(Failure::parameter("version", sentence));
    }
    let (entry, _) = asker.looks_at(&state, ProjectId::parse(&asked.project)).await?;
    let host = Origin::parse(&asked.host).filter(|host| host.to_string() == asked.host);
    if !host.is_some_and(|host| entry.allows_origin(Some(&host))) {
        let sentence = "origin not allowed: the host page is not on the list of the project";
        return Err(Failure::new(StatusCode::FORBIDDEN, "host", sentence));
    }
    let policy = format!("{POLICY}; frame-ancestors {}", ancestors(&entry));
    let headers = response.headers_mut();
    let policy = HeaderValue::try_from(policy)
        .map_err(|_| Failure::parameter("projectId", "The origins of the project fit in no header"))?;
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("origin"));
    headers.insert(HeaderName::from_static("permissions-policy"), HeaderValue::from_static(PERMISSIONS));
    Ok(response)
}

/// Origins of a project's pages as `frame-ancestors` lists them; patterns are written alike in both.
fn ancestors(entry: &Entry) -> String {
    let origins: Vec<String> = entry.origins.iter().map(ToString::to_string).collect();
    if origins.is_empty() { "'none'".into() } else { origins.join(" ") }
}

fn respond(file: &File, path: &str, headers: &HeaderMap) -> Response {
    let accepts = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let brotli = accepts.split(',').any(|one| one.split(';').next().is_some_and(|name| name.trim() == "br"));
    let compressed = file.brotli.clone().filter(|_| brotli);
    let encoded = compressed.is_some();
    let mut response = Response::new(compressed.unwrap_or_else(|| file.text.clone()).into());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(path)));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    // The worker of a page that demands this (COEP) needs it too.
    headers.insert(HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin"));
    if encoded {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
    }
    response
}

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, end)| end) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webp" => "image/webp",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}
