//! The browser's side: a machine that takes commands as JSON text.

use crate::random::{self, Seed};
use crate::{CONTEXT, Suite, slow};
use opaque_ke::errors::ProtocolError;
use opaque_ke::{
    ClientLogin, ClientLoginFinishParameters, ClientRegistration, ClientRegistrationFinishParameters,
    CredentialResponse, Identifiers, RegistrationResponse,
};
use portico_encoding::base64::{self, Spelling};
use portico_json::{Json, Read, parse, to_text};
use rand_chacha::ChaCha20Rng;
use zeroize::Zeroizing;

/// Longest command in bytes.
const LONGEST: usize = 16 * 1024;

/// Commands of the worker. Bytes are base64url without padding.
#[derive(Json)]
#[json(name = "PasswordCommand", tag = "type")]
pub enum Command {
    /// Begins to set a password. Answered by `asked`.
    Choose {
        /// The password.
        password: String,
        /// 32 random bytes.
        random: String,
    },
    /// Begins to try a password. Answered by `asked`.
    Try {
        /// The password.
        password: String,
        /// 32 random bytes.
        random: String,
    },
    /// Goes on with the server's answer. Answered by `opened`, also where it began with `choose`.
    Answered {
        /// The server's message.
        response: String,
    },
    /// Forgets what was begun, where no answer comes. Answered by `forgotten`.
    Forget,
}

/// Answers to [`Command`]s.
#[derive(Json)]
#[json(name = "PasswordAnswer", tag = "type")]
pub enum Answer {
    /// The first message.
    Asked {
        /// Message for the server.
        request: String,
    },
    /// The password is set, or was right.
    Opened {
        /// Export key of OPAQUE: 64 bytes.
        key: String,
        /// Record for the server to keep, of a password that is set.
        record: Option<String>,
    },
    /// Nothing is left.
    Forgotten,
    /// The command was refused.
    Refused {
        /// Kind of the refusal.
        reason: Reason,
    },
}

/// Reasons of a refusal.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "PasswordReason")]
pub enum Reason {
    /// The command is not of its form, or does not follow the one before.
    #[default]
    Command,
    /// The server's message is not of its form.
    Response,
    /// The password is wrong, or there is none.
    Wrong,
}

enum Begun {
    Set(ClientRegistration<Suite>),
    Tried(Box<ClientLogin<Suite>>),
}

struct State {
    password: Zeroizing<String>,
    random: ChaCha20Rng,
    begun: Begun,
}

/// One setting or try of a password at a time. What it holds is wiped when it ends.
#[derive(Default)]
pub struct Client {
    state: Option<State>,
}

impl Client {
    /// Performs a command, the JSON of a [`Command`], and returns the JSON of an [`Answer`].
    pub fn command(&mut self, json: &str) -> String {
        to_text(&self.perform(json).unwrap_or_else(|reason| Answer::Refused { reason }))
    }

    fn perform(&mut self, json: &str) -> Result<Answer, Reason> {
        let state = self.state.take();
        let value = Some(json).filter(|json| json.len() <= LONGEST).and_then(|json| parse(json).ok());
        match value.and_then(|value| Command::read(&value).ok()).ok_or(Reason::Command)? {
            Command::Choose { password, random } => self.choose(Zeroizing::new(password), &random),
            Command::Try { password, random } => self.try_password(Zeroizing::new(password), &random),
            Command::Forget => Ok(Answer::Forgotten),
            Command::Answered { response } => state.ok_or(Reason::Command)?.finish(&response),
        }
    }

    fn choose(&mut self, password: Zeroizing<String>, random: &str) -> Result<Answer, Reason> {
        let mut random = random::of(&*seed(random)?);
        let begun = ClientRegistration::start(&mut random, password.as_bytes()).map_err(|_| Reason::Command)?;
        self.state = Some(State { password, random, begun: Begun::Set(begun.state) });
        Ok(Answer::Asked { request: encode(&begun.message.serialize()) })
    }

    fn try_password(&mut self, password: Zeroizing<String>, random: &str) -> Result<Answer, Reason> {
        let mut random = random::of(&*seed(random)?);
        let begun = ClientLogin::start(&mut random, password.as_bytes()).map_err(|_| Reason::Command)?;
        self.state = Some(State { password, random, begun: Begun::Tried(Box::new(begun.state)) });
        Ok(Answer::Asked { request: encode(&begun.message.serialize()) })
    }
}

impl State {
    fn finish(self, response: &str) -> Result<Answer, Reason> {
        let State { password, mut random, begun } = self;
        let (slow, typed) = (slow(), password.as_bytes());
        let response = decode(response).ok_or(Reason::Response)?;
        let (key, record) = match begun {
            Begun::Set(state) => {
                let response = RegistrationResponse::deserialize(&response).map_err(|_| Reason::Response)?;
                let given = ClientRegistrationFinishParameters::new(Identifiers::default(), Some(&slow));
                let set = state.finish(&mut random, typed, response, given).map_err(|_| Reason::Response)?;
                (set.export_key, Some(encode(&set.message.serialize())))
            }
            Begun::Tried(state) => {
                let response = CredentialResponse::deserialize(&response).map_err(|_| Reason::Response)?;
                let given = ClientLoginFinishParameters::new(Some(CONTEXT), Identifiers::default(), Some(&slow));
                let found = state.finish(&mut random, typed, response, given).map_err(|error| match error {
                    ProtocolError::InvalidLoginError => Reason::Wrong,
                    _ => Reason::Response,
                })?;
                (found.export_key, None)
            }
        };
        let key = Zeroizing::new(<[u8; 64]>::from(key));
        Ok(Answer::Opened { key: encode(key.as_slice()), record })
    }
}

fn seed(text: &str) -> Result<Zeroizing<Seed>, Reason> {
    let bytes = decode(text).ok_or(Reason::Command)?;
    <Seed>::try_from(bytes.as_slice()).map(Zeroizing::new).map_err(|_| Reason::Command)
}

fn encode(bytes: &[u8]) -> String {
    base64::encode(bytes, Spelling::Url)
}

fn decode(text: &str) -> Option<Zeroizing<Vec<u8>>> {
    base64::decode(text, Spelling::Url).map(Zeroizing::new)
}
