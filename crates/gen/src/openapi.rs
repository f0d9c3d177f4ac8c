//! Text of `docs/openapi.json`: OpenAPI 3.1 of the server, from the table of routes and the types.

use portico_api::routes::{Answer, Parameter, ParameterIn, Route, declarations, routes};
use portico_json::{Declared, Field, Shape, to_text};

/// JSON object under construction.
struct Object(String);

impl Object {
    fn new() -> Object {
        Object(String::new())
    }

    fn with(mut self, name: &str, json: &str) -> Object {
        if !self.0.is_empty() {
            self.0.push(',');
        }
        self.0.push_str(&to_text(name));
        self.0.push(':');
        self.0.push_str(json);
        self
    }

    fn text(self, name: &str, text: &str) -> Object {
        if text.is_empty() { self } else { self.with(name, &to_text(text)) }
    }

    fn done(self) -> String {
        format!("{{{}}}", self.0)
    }
}

fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

pub fn document() -> String {
    let info = Object::new()
        .text("title", "Portico")
        .text("version", env!("CARGO_PKG_VERSION"))
        .text("description", "Everything behind the Portico widget, from one binary.")
        .with(
            "license",
            &Object::new().text("name", "MIT OR Apache-2.0").text("identifier", "MIT OR Apache-2.0").done(),
        );
    let schemas = declarations()
        .iter()
        .fold(Object::new(), |all, (name, declared)| all.with(name, &declaration(declared)))
        .done();
    let secrets = Object::new()
        .with("project", &Object::new().text("type", "apiKey").text("in", "query").text("name", "projectId").done());
    let components = Object::new().with("schemas", &schemas).with("securitySchemes", &secrets.done());
    let document = Object::new()
        .text("openapi", "3.1.0")
        .with("info", &info.done())
        .with("paths", &paths())
        .with("components", &components.done())
        .done();
    indented(&document)
}

fn paths() -> String {
    let routes = routes();
    let mut paths: Vec<&str> = routes.iter().map(|route| route.path).collect();
    paths.dedup();
    paths.sort_unstable();
    paths.dedup();
    let item = |path: &str| {
        let here = routes.iter().filter(|route| route.path == path);
        here.fold(Object::new(), |item, route| item.with(route.method, &operation(route))).done()
    };
    paths.iter().fold(Object::new(), |all, path| all.with(path, &item(path))).done()
}

fn operation(route: &Route) -> String {
    let mut operation = Object::new().with("tags", &list([to_text(route.tag)])).text("summary", route.about);
    if route.project {
        operation = operation.with("security", r#"[{"project":[]}]"#);
    }
    if !route.parameters.is_empty() {
        operation = operation.with("parameters", &list(route.parameters.iter().map(parameter)));
    }
    if let Some(body) = &route.body {
        let mut json = Object::new().with("schema", &schema(body));
        if let Some(example) = route.example {
            json = json.with("example", example);
        }
        let body = Object::new()
            .with("required", "true")
            .with("content", &Object::new().with("application/json", &json.done()).done());
        operation = operation.with("requestBody", &body.done());
    }
    operation.with("responses", &responses(route)).done()
}

fn parameter(parameter: &Parameter) -> String {
    let place = match parameter.place {
        ParameterIn::Path => "path",
        ParameterIn::Query => "query",
        ParameterIn::Header => "header",
    };
    Object::new()
        .text("name", parameter.name)
        .text("in", place)
        .with("required", if parameter.required { "true" } else { "false" })
        .text("description", parameter.about)
        .with("schema", &schema(&parameter.shape))
        .done()
}

fn responses(route: &Route) -> String {
    let (status, success) = match &route.answer {
        Answer::Json(shape) => (200, Object::new().with("content", &content("application/json", &schema(shape)))),
        Answer::Accepted(shape) => (202, Object::new().with("content", &content("application/json", &schema(shape)))),
        Answer::Other(kind) => (200, Object::new().with("content", &content(kind, "{}"))),
        Answer::Empty(status) => (*status, Object::new()),
    };
    let described = |about: &str, rest: Object| {
        let described = Object::new().text("description", about);
        if rest.0.is_empty() { described.done() } else { Object(format!("{},{}", described.0, rest.0)).done() }
    };
    let mut all = Object::new().with(&status.to_string(), &described(route.gives, success));
    if let Some((status, gives)) = route.or {
        all = all.with(&status.to_string(), &described(gives, Object::new()));
    }
    route
        .refusals()
        .iter()
        .fold(all, |all, refusal| {
            let body = Object::new().with("content", &content("application/json", &schema(&refusal.body)));
            all.with(&refusal.status.to_string(), &described(refusal.about, body))
        })
        .done()
}

fn content(kind: &str, schema: &str) -> String {
    Object::new().with(kind, &Object::new().with("schema", schema).done()).done()
}

fn declaration(declared: &Declared) -> String {
    described(&declared.shape, declared.about)
}

fn described(shape: &Shape, about: &str) -> String {
    let schema = schema(shape);
    if about.is_empty() {
        return schema;
    }
    let inner = schema.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or_default();
    let comma = if inner.is_empty() { "" } else { "," };
    format!("{{\"description\":{}{comma}{inner}}}", to_text(about))
}

fn schema(shape: &Shape) -> String {
    match shape {
        Shape::Text => r#"{"type":"string"}"#.into(),
        Shape::Whole => r#"{"type":"integer"}"#.into(),
        Shape::Number => r#"{"type":"number"}"#.into(),
        Shape::Switch => r#"{"type":"boolean"}"#.into(),
        Shape::Any => "{}".into(),
        Shape::Maybe(inner) => format!(r#"{{"anyOf":[{},{{"type":"null"}}]}}"#, schema(inner)),
        Shape::List(item) => format!(r#"{{"type":"array","items":{}}}"#, schema(item)),
        Shape::Map(value) => format!(r#"{{"type":"object","additionalProperties":{}}}"#, schema(value)),
        Shape::Named(name) => format!(r##"{{"$ref":"#/components/schemas/{name}"}}"##),
        Shape::Word(word) => format!(r#"{{"const":{}}}"#, to_text(*word)),
        Shape::Words(words) => {
            format!(r#"{{"type":"string","enum":{}}}"#, list(words.iter().map(|word| to_text(*word))))
        }
        Shape::Object(fields) => object(fields),
        Shape::Tagged(forms) => format!(r#"{{"oneOf":{}}}"#, list(forms.iter().map(|fields| object(fields)))),
    }
}

/// Schema of an object. A field that may be `null` may be missing, so only the others are required.
fn object(fields: &[Field]) -> String {
    let properties =
        fields.iter().fold(Object::new(), |all, field| all.with(field.name, &described(&field.shape, field.about)));
    let required =
        fields.iter().filter(|field| !matches!(field.shape, Shape::Maybe(_))).map(|field| to_text(field.name));
    let object = Object::new().text("type", "object").with("properties", &properties.done());
    object.with("required", &list(required)).done()
}

/// Formats JSON with line breaks, indented by two spaces per level.
fn indented(json: &str) -> String {
    let (mut out, mut depth, mut quoted, mut escaped) = (String::new(), 0_usize, false, false);
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    };
    let mut letters = json.chars().peekable();
    while let Some(letter) = letters.next() {
        if quoted {
            out.push(letter);
            quoted = escaped || letter != '"';
            escaped = !escaped && letter == '\\';
            continue;
        }
        match letter {
            '{' | '[' if letters.peek().is_some_and(|next| matches!(next, '}' | ']')) => out.push(letter),
            '{' | '[' => {
                depth += 1;
                out.push(letter);
                line(&mut out, depth);
            }
            '}' | ']' if out.ends_with(['{', '[']) => out.push(letter),
            '}' | ']' => {
                depth -= 1;
                line(&mut out, depth);
                out.push(letter);
            }
            ',' => {
                out.push(letter);
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            '"' => {
                quoted = true;
                out.push(letter);
            }
            letter => out.push(letter),
        }
    }
    out.push('\n');
    out
}
