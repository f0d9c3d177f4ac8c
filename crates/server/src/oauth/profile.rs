//! What services say about a person, in their own forms. Nothing of it but the id decides who someone is.

use super::id_token::SUBJECT;
use portico_json::Value;

/// Longest name that is kept, in characters.
const LONGEST_NAME: usize = 64;

/// Form of a profile.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Form {
    /// Claims of an ID token.
    Claims,
    /// <https://docs.github.com/en/rest/users/users#get-the-authenticated-user>
    GitHub,
    /// <https://docs.x.com/x-api/users/get-my-user>
    X,
    /// <https://developers.facebook.com/docs/graph-api/reference/user>
    Facebook,
    /// <https://discord.com/developers/docs/resources/user>
    Discord,
}

/// Person as a service describes it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Profile {
    /// Id of the person at the service; never given to anybody else.
    pub(super) subject: String,
    pub(super) name: Option<String>,
    /// Address that the service has verified.
    pub(super) email: Option<String>,
}

/// Reads the claims of a token in which this one says who the person is.
pub(super) fn of_claims(claims: &Value, subject: &str) -> Option<Profile> {
    let subject = claims.get(subject).as_str().filter(|id| !id.is_empty() && id.len() <= 255)?.to_owned();
    let (name, email) = shown_of(Form::Claims, claims);
    Some(Profile { subject, name, email })
}

/// Reads a profile; `None` without an id.
pub(super) fn read(form: Form, value: &Value) -> Option<Profile> {
    let body = if form == Form::X { value.get("data") } else { value };
    let text = |name: &str| body.get(name).as_str();
    let subject = match form {
        Form::Claims => return of_claims(body, SUBJECT),
        Form::GitHub => body.get("id").as_u64().map(|id| id.to_string()),
        Form::X | Form::Facebook | Form::Discord => text("id").map(str::to_owned),
    };
    let subject = subject.filter(|id| !id.is_empty() && id.len() <= 255)?;
    let (name, email) = shown_of(form, body);
    Some(Profile { subject, name, email })
}

/// Name and verified address of a person, to show.
fn shown_of(form: Form, body: &Value) -> (Option<String>, Option<String>) {
    let text = |name: &str| body.get(name).as_str();
    let names: [&str; 2] = match form {
        Form::GitHub => ["login", "name"],
        Form::X => ["username", "name"],
        Form::Discord => ["username", "global_name"],
        Form::Claims | Form::Facebook => ["name", "given_name"],
    };
    let name = names.iter().find_map(|name| shown(text(name)?));
    // Some services write the flag as text. A service that says nothing has verified nothing.
    let flag = |name: &str| body.get(name).as_bool() == Some(true) || text(name) == Some("true");
    let verified = match form {
        Form::Claims => flag("email_verified"),
        Form::Discord => flag("verified"),
        Form::GitHub | Form::X | Form::Facebook => false,
    };
    let email = verified.then(|| text("email").map(str::to_owned)).flatten();
    (name, email)
}

/// Verified main address among those that GitHub lists (<https://docs.github.com/en/rest/users/emails>).
pub(super) fn main_address(list: &Value) -> Option<String> {
    let fits = |one: &&Value| one.get("primary").as_bool() == Some(true) && one.get("verified").as_bool() == Some(true);
    list.as_list()?.iter().find(fits)?.get("email").as_str().map(str::to_owned)
}

/// A name is one line of visible text.
fn shown(text: &str) -> Option<String> {
    let hidden = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let text: String = text.chars().filter(|letter| !hidden(*letter)).take(LONGEST_NAME).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use portico_json::parse;

    fn profile(form: Form, text: &str) -> Option<(String, Option<String>, Option<String>)> {
        read(form, &parse(text).unwrap()).map(|found| (found.subject, found.name, found.email))
    }

    fn of(subject: &str, name: Option<&str>, email: Option<&str>) -> Option<(String, Option<String>, Option<String>)> {
        Some((subject.into(), name.map(str::to_owned), email.map(str::to_owned)))
    }

    #[test]
    fn each_service_is_read_in_its_own_form() {
        let claims = r#"{"sub":"1","name":"Ada","email":"ada@example.org","email_verified":true}"#;
        assert_eq!(profile(Form::Claims, claims), of("1", Some("Ada"), Some("ada@example.org")));
        let apple = r#"{"sub":"000.a","email":"ada@example.org","email_verified":"true"}"#;
        assert_eq!(profile(Form::Claims, apple), of("000.a", None, Some("ada@example.org")));
        assert_eq!(profile(Form::GitHub, r#"{"id":7,"login":"ada","name":"Ada L"}"#), of("7", Some("ada"), None));
        assert_eq!(profile(Form::X, r#"{"data":{"id":"7","username":"ada"}}"#), of("7", Some("ada"), None));
        assert_eq!(profile(Form::Facebook, r#"{"id":"7","name":"Ada"}"#), of("7", Some("Ada"), None));
        let discord = r#"{"id":"7","username":"ada","email":"ada@example.org","verified":true}"#;
        assert_eq!(profile(Form::Discord, discord), of("7", Some("ada"), Some("ada@example.org")));
    }

    #[test]
    fn an_address_that_the_service_has_not_verified_is_nobodys() {
        for text in [
            r#"{"sub":"1","email":"ada@example.org"}"#,
            r#"{"sub":"1","email":"ada@example.org","email_verified":false}"#,
            r#"{"sub":"1","email":"ada@example.org","email_verified":"yes"}"#,
        ] {
            assert_eq!(profile(Form::Claims, text), of("1", None, None), "{text}");
        }
        assert_eq!(
            profile(Form::Discord, r#"{"id":"7","email":"ada@example.org","verified":false}"#),
            of("7", None, None)
        );
        assert_eq!(profile(Form::Facebook, r#"{"id":"7","email":"ada@example.org"}"#), of("7", None, None));
        let list = r#"[{"email":"a@example.org","primary":true,"verified":false},{"email":"b@example.org","primary":false,"verified":true}]"#;
        assert_eq!(main_address(&parse(list).unwrap()), None);
        let list = r#"[{"email":"a@example.org","primary":true,"verified":true}]"#;
        assert_eq!(main_address(&parse(list).unwrap()), Some("a@example.org".into()));
    }

    #[test]
    fn a_profile_without_an_id_is_none_and_a_name_has_no_hidden_letters() {
        for (form, text) in [
            (Form::Claims, "{}"),
            (Form::Claims, r#"{"sub":""}"#),
            (Form::GitHub, r#"{"id":"7"}"#),
            (Form::X, r#"{"id":"7"}"#),
            (Form::Facebook, "null"),
        ] {
            assert_eq!(profile(form, text), None, "{text}");
        }
        assert_eq!(profile(Form::Facebook, "{\"id\":\"7\",\"name\":\"A\\u202eda\\n\"}"), of("7", Some("Ada"), None));
    }
}
