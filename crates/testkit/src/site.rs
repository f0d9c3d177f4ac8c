use crate::wallet::thrown;
use portico_core::{Outcome, SignInCall};
use portico_json::{Value, parse};

/// Scripted sign-in of a host (`siwx`): it writes messages, believes every signature and keeps the sessions.
#[derive(Clone, Debug, Default)]
pub struct ScriptedSite {
    /// Chain and account of each session; they survive a reload.
    pub sessions: Vec<(String, String)>,
    /// Calls that get no answer until [`crate::World::site_answers`].
    pub silent: Vec<SignInCall>,
    /// Answers that replace the right ones; an error is thrown.
    pub answers: Vec<(SignInCall, Result<Value, String>)>,
    /// Calls, in their order.
    pub asked: Vec<(SignInCall, Value)>,
    pub(crate) waiting: Vec<(SignInCall, u32)>,
}

/// The options of a host with a sign-in.
pub fn with_sign_in(options: &str, required: bool) -> String {
    options.replacen('{', &format!(r#"{{"siwx":{{"required":{required},"signsOut":true}},"#), 1)
}

impl ScriptedSite {
    /// Number of calls of a kind.
    pub fn count(&self, call: SignInCall) -> usize {
        self.asked.iter().filter(|(asked, _)| *asked == call).count()
    }

    pub(crate) fn answer(&mut self, call: SignInCall, given: Value) -> Option<Outcome> {
        self.asked.push((call, given.clone()));
        if self.silent.contains(&call) {
            return None;
        }
        if let Some((_, answer)) = self.answers.iter().find(|(scripted, _)| *scripted == call) {
            return Some(match answer.clone() {
                Ok(value) => Outcome::Answered { value },
                Err(message) => Outcome::Failed { error: thrown(0, &message) },
            });
        }
        let text = |name: &str| given.get(name).as_str().unwrap_or_default().to_owned();
        let subject = (text("chainId"), text("accountAddress"));
        let known = self.sessions.contains(&subject);
        Some(Outcome::Answered {
            value: match call {
                SignInCall::GetSessions => Value::List(if known { vec![given] } else { Vec::new() }),
                SignInCall::CreateMessage => message(&subject, self.count(call)),
                SignInCall::SignMessage => Value::Text(format!("0x{}1b", "ab".repeat(64))),
                SignInCall::AddSession => {
                    self.sessions.push(subject);
                    Value::Null
                }
                SignInCall::RevokeSession => {
                    self.sessions.retain(|session| *session != subject);
                    Value::Null
                }
            },
        })
    }
}

/// Message of CAIP-122 with all its fields (spec 3.18); the nonce counts.
fn message((chain, address): &(String, String), count: usize) -> Value {
    let (namespace, number) = chain.split_once(':').unwrap_or_default();
    let kind = match namespace {
        "solana" => "Solana",
        "bip122" => "Bitcoin",
        "polkadot" => "Polkadot",
        _ => "Ethereum",
    };
    let text = format!(
        "host.example wants you to sign in with your {kind} account:\\n{address}\\n\\nSign in to the shop.\\n\\nURI: https://host.example/in\\nVersion: 1\\nChain ID: {number}\\nNonce: 1234567{count}\\nIssued At: 2023-11-14T22:13:20.000Z"
    );
    let data = format!(
        r#"{{"accountAddress":"{address}","chainId":"{chain}","domain":"host.example","uri":"https://host.example/in","version":"1","nonce":"1234567{count}","statement":"Sign in to the shop.","resources":["https://shop.example/terms"],"requestId":"7","issuedAt":"2023-11-14T22:13:20.000Z","notBefore":"2023-11-14T22:13:20.000Z","expirationTime":"2023-11-15T22:13:20.000Z"}}"#
    );
    let icon = "https://shop.example/icon.png";
    parse(&format!(r#"{{"data":{data},"message":"{text}","signs":false,"name":"The Shop","icon":"{icon}"}}"#))
        .unwrap_or_default()
}
