//! Requests to the host's own server (spec 7.9): their URL and common parameters, and the meaning of a response.

use crate::config::Options;
use crate::cx::Cx;
use crate::effect::{HttpMethod, Operation, Outcome};
use crate::facts::Facts;
use crate::notice::AlertKey;
use crate::signal::Signal;
use portico_json::{Value, parse};
use portico_terms::rpc::RpcError;

/// Value of the parameter `sv` (spec 7.2).
pub const SDK_VERSION: &str = concat!("html-portico-", env!("CARGO_PKG_VERSION"));

/// Timeout of a request in milliseconds, the same as for chain reads (spec 9.16).
const TIMEOUT: u32 = 10_000;

/// Error text for a response without a reason; the status code follows (spec 7.9).
const STATUS: &str = "HTTP status code: ";

/// Request to the host's server. It is sent only if the host set a server and a project.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    method: HttpMethod,
    path: String,
    query: String,
    body: Option<String>,
}

impl Request {
    /// Creates a request. `path` begins with a slash; untrusted text in it must have gone through [`encode`].
    pub fn new(method: HttpMethod, path: impl Into<String>) -> Request {
        Request { method, path: path.into(), query: String::new(), body: None }
    }

    /// Creates a `GET` request.
    pub fn get(path: impl Into<String>) -> Request {
        Request::new(HttpMethod::Get, path)
    }

    /// Adds a query parameter.
    pub fn with(mut self, name: &str, value: &str) -> Request {
        self.query.push('&');
        self.query.push_str(name);
        self.query.push('=');
        self.query.push_str(&encode(value));
        self
    }

    /// Sets the JSON body.
    pub fn body(mut self, body: String) -> Request {
        self.body = Some(body);
        self
    }

    /// Converts the request to an operation; `None` if the host set no server or no project.
    pub fn operation(self, options: &Options) -> Option<Operation> {
        let (base, project) = (options.endpoint.as_ref()?, options.project_id.as_ref()?);
        let request = match &options.client_id {
            Some(client) => self.with("clientId", client),
            None => self,
        };
        let sdk = encode(&options.sdk_type);
        let url =
            [base, request.path.as_str(), "?projectId=", project, "&st=", &sdk, "&sv=", SDK_VERSION, &request.query];
        Some(Operation::SendHttp { method: request.method, url: url.concat(), body: request.body, timeout: TIMEOUT })
    }
}

/// Whether the host set a server and a project.
pub fn is_there(options: &Options) -> bool {
    options.endpoint.is_some() && options.project_id.is_some()
}

/// Percent-encodes a text for a path or a query (RFC 3986: unreserved characters stay, and so does the colon of CAIP ids).
pub fn encode(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~:".contains(&byte) {
            out.push(byte as char);
        } else {
            out.push('%');
            for half in [byte >> 4, byte & 15] {
                out.push(char::from_digit(u32::from(half), 16).unwrap_or('0').to_ascii_uppercase());
            }
        }
    }
    out
}

/// URL of a picture from a server response: a path on the server, a URL on the origin of the server or the page, or the picture itself.
/// Others are rejected: they would reveal to third parties what a visitor views. The project id is added to a path because an `<img>` cannot send headers.
pub fn picture(url: &str, facts: &Facts) -> Option<String> {
    let base = facts.options.endpoint.as_deref()?;
    if url.starts_with('/') && !url.starts_with("//") && !url.starts_with("/\\") {
        let mut address = [base, url].concat();
        if let Some(project) = facts.options.project_id.as_ref().filter(|_| !url.contains("projectId=")) {
            address.push_str(if url.contains('?') { "&projectId=" } else { "?projectId=" });
            address.push_str(&encode(project));
        }
        return Some(address);
    }
    if is_inline(url) {
        return Some(url.into());
    }
    let below = |origin: &str| !origin.is_empty() && url.strip_prefix(origin).is_some_and(|path| path.starts_with('/'));
    if below(base) || below(&facts.environment.origin) { Some(url.into()) } else { None }
}

/// Whether it is a small `data:` URL of pixels (RFC 2397), which causes no request.
fn is_inline(url: &str) -> bool {
    let content = url.strip_prefix("data:image/").and_then(|rest| rest.split_once(";base64,"));
    content.is_some_and(|(kind, _)| ["gif", "jpeg", "png", "webp"].contains(&kind)) && url.len() <= 8192
}

/// Converts a response: to its JSON on success, else to an error with the server's text (`reasons[0].description`, spec 7.3) and status.
pub fn result(outcome: Outcome) -> Result<Value, RpcError> {
    let Outcome::HttpAnswered { status, body, .. } = outcome else { return outcome.into_result() };
    let value = parse(&body);
    if (200..300).contains(&status) {
        return if body.is_empty() { Ok(Value::Null) } else { value.map_err(|_| RpcError::nonsense("")) };
    }
    let value = value.unwrap_or_default();
    let text = reason(&value, "description").map_or_else(|| [STATUS, &status.to_string()].concat(), str::to_owned);
    Err(RpcError::new(status.into(), &text))
}

/// Alert for a refusal by the host's own server (spec 8.43 to 8.45, 8.48, 8.49). None for a refused signature: that is an error of the
/// visitor's message, not of the host's setup.
pub fn alert(outcome: &Outcome) -> Option<AlertKey> {
    let Outcome::HttpAnswered { status, body, .. } = outcome else { return None };
    let otherwise = match status {
        401 => AlertKey::InvalidProjectId,
        403 => AlertKey::OriginNotAllowed,
        // A page instead of data: another program answers at the host's `endpoints`.
        200 | 404 if body.trim_ascii_start().starts_with('<') => return Some(AlertKey::InvalidOptions),
        _ => return None,
    };
    if reason(&parse(body).unwrap_or_default(), "field") == Some("signature") {
        return None;
    }
    Some(AlertKey::of_message(body).unwrap_or(otherwise))
}

/// Field of the first reason in an error response (spec 7.3).
fn reason<'a>(problem: &'a Value, what: &str) -> Option<&'a str> {
    problem.get("reasons").as_list()?.first()?.get(what).as_str()
}

/// Alerts already raised: each is raised only once.
#[derive(Debug, Default)]
pub struct Warned(Vec<AlertKey>);

impl Warned {
    /// Warns the host if a response shows a problem with its project, once for each kind.
    pub fn look(&mut self, outcome: &Outcome, cx: &mut Cx) {
        let Some(alert) = alert(outcome) else { return };
        if !self.0.contains(&alert) {
            self.0.push(alert);
            let detail = match (alert, &cx.facts.options.project_id) {
                (AlertKey::InvalidProjectId, Some(id)) => id.clone(),
                (AlertKey::InvalidOptions, _) => "endpoints: no Portico server".into(),
                _ => cx.facts.environment.origin.to_string(),
            };
            cx.signal(Signal::Warn(alert, detail));
        }
    }
}

/// Whether a URL is on the host's own server and carries a project id.
pub fn is_ours(url: &str, facts: &Facts) -> bool {
    facts.options.endpoint.as_ref().is_some_and(|base| url.starts_with(base.as_str()) && url.contains("projectId="))
}

/// Whether a URL is on the origin of the host's own server: whatever answers there is that server's word.
pub fn is_on_own_origin(url: &str, facts: &Facts) -> bool {
    facts.options.endpoint.as_ref().is_some_and(|base| origin(base, facts).eq_ignore_ascii_case(origin(url, facts)))
}

/// Scheme, host and port of a URL; those of the page for a path.
pub fn origin<'a>(url: &'a str, facts: &'a Facts) -> &'a str {
    match url.match_indices('/').nth(2) {
        _ if url.starts_with('/') => &facts.environment.origin,
        Some((end, _)) => &url[..end],
        None => url,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boot::Environment;

    fn options(text: &str) -> Options {
        Options::read(&parse(text).unwrap())
    }

    fn answered(status: u16, body: &str) -> Outcome {
        Outcome::HttpAnswered { status, retry_after: None, body: body.into() }
    }

    #[test]
    fn spec_7_9_a_call_names_the_project_and_the_kind_and_version_of_the_sdk() {
        let request = Request::get("/v1/identity/0xab").with("sender", "a b&c=é");
        let operation =
            request.operation(&options(r#"{"projectId":"abc","endpoints":"https://host.example/"}"#)).unwrap();
        let Operation::SendHttp { method, url, body, timeout } = operation else { panic!("{operation:?}") };
        assert_eq!((method, body, timeout), (HttpMethod::Get, None, 10_000));
        let expected = "https://host.example/v1/identity/0xab?projectId=abc&st=appkit&sv=html-portico-0.1.0&sender=a%20b%26c%3D%C3%A9";
        assert_eq!(url, expected);
    }

    #[test]
    fn spec_7_9_a_call_names_the_client_once_the_host_set_one() {
        let url = |client: &str| {
            let text = [r#"{"projectId":"abc","endpoints":"/","clientId":"#, client, "}"].concat();
            let Some(Operation::SendHttp { url, .. }) = Request::get("/v1").with("a", "b").operation(&options(&text))
            else {
                panic!("{client}")
            };
            url
        };
        for none in ["null", "7", r#""""#] {
            assert_eq!(url(none), "/v1?projectId=abc&st=appkit&sv=html-portico-0.1.0&a=b", "{none}");
        }
        assert!(url(r#""did:key:z6 &é""#).ends_with("&a=b&clientId=did:key:z6%20%26%C3%A9"));
    }

    #[test]
    fn without_a_server_or_a_project_nothing_is_asked() {
        for text in [r#"{"projectId":"abc"}"#, r#"{"endpoints":"/"}"#] {
            assert_eq!(Request::get("/v1").operation(&options(text)), None);
            assert!(!is_there(&options(text)));
        }
    }

    #[test]
    fn a_picture_comes_from_the_server_or_the_page_and_from_nobody_else() {
        let environment = Environment { origin: "https://page.example".into(), ..Environment::default() };
        let environment = std::rc::Rc::new(environment);
        let told = |endpoint: &str, url: &str| {
            let text = [r#"{"projectId":"abc","endpoints":""#, endpoint, r#""}"#].concat();
            let facts = Facts { options: options(&text).into(), environment: environment.clone(), ..Facts::default() };
            picture(url, &facts)
        };
        let server = "https://host.example";
        assert_eq!(told(server, "/v1/image/a").as_deref(), Some("https://host.example/v1/image/a?projectId=abc"));
        assert_eq!(told("/", "/v1/image?url=a%3Fb").as_deref(), Some("/v1/image?url=a%3Fb&projectId=abc"));
        assert_eq!(told("/", "/v1/image?projectId=b&url=a").as_deref(), Some("/v1/image?projectId=b&url=a"));
        for own in ["https://host.example/a.webp", "https://page.example/a.webp", "data:image/png;base64,AAAA"] {
            assert_eq!(told(server, own).as_deref(), Some(own));
        }
        for strange in [
            "",
            "//evil.example/a",
            "/\\evil.example/a",
            "https://evil.example/a",
            "https://host.example.evil.example/a",
            "https://host.example@evil.example/a",
            "javascript:alert(1)",
            "data:image/svg+xml,a",
            "data:image/svg+xml;base64,AAAA",
            "data:text/html;base64,AAAA",
            &["data:image/png;base64,", &"A".repeat(9000)].concat(),
            "a.png",
        ] {
            assert_eq!(told(server, strange), None, "{strange}");
            assert_eq!(told("/", strange), None, "{strange}");
        }
    }

    #[test]
    fn spec_7_3_and_7_9_an_error_carries_the_servers_reason_or_its_status() {
        let problem = r#"{"status":"FAILED","reasons":[{"field":"name","description":"Taken"}]}"#;
        let told = |status, body| result(answered(status, body)).map_err(|error| (error.code, error.message));
        assert_eq!(told(409, problem), Err((409, "Taken".into())));
        for body in ["", "<html>", "{}", r#"{"reasons":[]}"#, r#"{"reasons":[{"description":7}]}"#] {
            assert_eq!(told(502, body), Err((502, "HTTP status code: 502".into())), "{body}");
        }
        assert_eq!(told(200, "[1"), result(answered(200, "nonsense")).map_err(|error| (error.code, error.message)));
        assert!(told(200, "[1").is_err());
        assert_eq!(told(202, ""), Ok(Value::Null));
        assert_eq!(told(200, "true"), Ok(Value::Bool(true)));
    }

    #[test]
    fn spec_8_43_8_45_and_8_46_a_refused_project_or_origin_calls_for_its_alert() {
        assert_eq!(alert(&answered(401, "")), Some(AlertKey::InvalidProjectId));
        assert_eq!(alert(&answered(403, "")), Some(AlertKey::OriginNotAllowed));
        assert_eq!(alert(&answered(429, "")), None);
        let of = |field: &str| format!(r#"{{"status":"FAILED","reasons":[{{"field":"{field}","description":"No"}}]}}"#);
        assert_eq!(alert(&answered(401, &of("projectId"))), Some(AlertKey::InvalidProjectId));
        assert_eq!(alert(&answered(401, &of("signature"))), None);
        let missing =
            of("projectId").replace("No", "Project ID is missing: the query or the header x-project-id must carry it");
        assert_eq!(alert(&answered(401, &missing)), Some(AlertKey::ProjectIdNotConfigured));
        assert_eq!(alert(&Outcome::Done), None);
    }
}
