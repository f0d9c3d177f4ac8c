//! Secrets, and other settings that are read from files of their own.

use super::Read;
use crate::config::{Mistake, SettingSource, named};
use crate::user::this_user;
use std::io::{Error, ErrorKind};
use std::path::Path;

impl Read<'_> {
    /// Reads a secret: given directly, or in the file that `<name>_file` names, without its last line break.
    pub(in crate::config) fn secret_at(
        &mut self,
        name: &'static str,
        file: &'static str,
    ) -> Option<(String, SettingSource)> {
        match (self.text(name), self.text(file)) {
            (Some(_), Some((_, place))) => {
                self.mistakes.push(Mistake::new(place, format!("set `{name}` or `{file}`, not both")));
                None
            }
            (Some(given), None) => Some(given),
            (None, Some((path, place))) => {
                let text = text_of(&path, file).map(|text| text.trim_end_matches(['\r', '\n']).to_owned());
                self.keep(place.clone(), text).map(|text| (text, place))
            }
            (None, None) => None,
        }
    }

    /// Reads a secret that another setting needs. Outer `None`: a mistake was recorded, so the secret isn't missing.
    pub(in crate::config) fn secret_given(
        &mut self,
        name: &'static str,
        file: &'static str,
    ) -> Option<Option<(String, SettingSource)>> {
        let found = self.mistakes.len();
        let secret = self.secret_at(name, file);
        (self.mistakes.len() == found).then_some(secret)
    }
}

/// Text of the file that a setting names.
pub(in crate::config) fn text_of(path: impl AsRef<Path>, setting: &str) -> Result<String, String> {
    let path = path.as_ref();
    std::fs::read_to_string(path).map_err(|error| unread(path, setting, &error))
}

fn unread(path: &Path, setting: &str, error: &Error) -> String {
    let path = named(path);
    match error.kind() {
        ErrorKind::PermissionDenied => {
            format!(
                "this user ({}) can't read the file {path}, named by `{setting}`. Change its permissions.",
                this_user()
            )
        }
        ErrorKind::IsADirectory => format!("{path}, named by `{setting}`, is a folder. Name the file in it."),
        _ => match fault(error) {
            Some(fault) => format!("the file {path}, named by `{setting}`, {fault}"),
            None => format!("couldn't read the file {path}, named by `{setting}` ({error})"),
        },
    }
}

/// Fault of a file that can't be read, in the words of a sentence about it; `None` for a rare one.
pub(in crate::config) fn fault(error: &Error) -> Option<&'static str> {
    match error.kind() {
        ErrorKind::NotFound => Some("doesn't exist"),
        ErrorKind::PermissionDenied => Some("can't be read by this user"),
        ErrorKind::IsADirectory => Some("is a folder"),
        ErrorKind::InvalidData => Some("isn't UTF-8 text"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, Flags};
    use std::path::Path;

    fn mistake(text: &str) -> String {
        let mistakes = Config::parse(Path::new("portico.toml"), text, [], &Flags::default()).unwrap_err();
        assert_eq!(mistakes.len(), 1, "{mistakes:?}");
        mistakes[0].sentence().to_owned()
    }

    /// Each setting that names a file, and how a sentence about it goes on.
    #[test]
    fn a_file_that_cannot_be_read_is_told_alike_by_each_setting() {
        let folder = tempfile::tempdir().unwrap();
        let binary = folder.path().join("binary");
        std::fs::write(&binary, [0xff]).unwrap();
        let chain = "[[chains]]\nid = \"eip155:1\"\nupstreams = [\"https://a.example\"]\ntokens = ";
        for (setting, before) in [
            ("redis_file", "redis_file = "),
            ("tokens", chain),
            ("sources.price_file", "[sources]\nprice_file = "),
            ("onramp.meld_key_file", "[onramp]\nmeld_key_file = "),
        ] {
            let told = mistake(&format!("{before}\"/nowhere\"\n"));
            assert_eq!(told, format!("the file /nowhere, named by `{setting}`, doesn't exist"));
            let told = mistake(&format!("{before}{:?}\n", folder.path()));
            let named = folder.path().display();
            assert_eq!(told, format!("{named}, named by `{setting}`, is a folder. Name the file in it."));
            let told = mistake(&format!("{before}{binary:?}\n"));
            assert_eq!(told, format!("the file {}, named by `{setting}`, isn't UTF-8 text", binary.display()));
        }
        let wallet = "[wallet]\norigin = \"http://localhost:8081\"\nmail.outbox = true\n";
        let jwt = format!("{wallet}[[wallet.jwt]]\nissuer = \"a\"\naudience = \"b\"\njwks_file = ");
        let told = mistake(&format!("{jwt}\"/nowhere\"\n"));
        assert_eq!(told, "couldn't read the keys in /nowhere: the file doesn't exist");
    }

    #[test]
    fn the_other_half_of_a_secret_that_cannot_be_read_is_not_called_missing() {
        for text in [
            "[wallet]\nsocial.google.client_id = \"a\"\nsocial.google.client_secret_file = \"/nowhere\"\n",
            "[wallet.social.apple]\nclient_id = \"a\"\nkey_file = \"/nowhere\"\n",
            "[wallet.social.openid]\nissuer = \"https://id.example\"\nclient_id = \"a\"\nclient_secret_file = \"/nowhere\"\n",
            "[wallet.social.farcaster]\nrelay = \"https://relay.example\"\nnode_file = \"/nowhere\"\n",
            "[onramp]\ncoinbase_key_id = \"a\"\ncoinbase_key_file = \"/nowhere\"\n",
            "[names]\nparent = \"a.eth\"\nresolver = \"0x1111111111111111111111111111111111111111\"\nsigner_key_file = \"/nowhere\"\n",
        ] {
            assert!(mistake(text).ends_with("doesn't exist"), "{text}");
        }
    }
}
