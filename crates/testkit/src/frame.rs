use crate::wallet::thrown;
use portico_api::frame::FrameEvent;
use portico_core::Outcome;
use portico_json::{Value, parse};

/// Lowest ticket of requests that the core itself sends to the embedded wallet's provider.
const FIRST_TICKET: u32 = 1_000_000;

/// Scripted frame of the embedded wallet.
#[derive(Clone, Debug)]
pub struct ScriptedFrame {
    /// Address of the account.
    pub address: String,
    /// E-mail address of the session.
    pub email: String,
    /// Service of the social login, if the session is one of it.
    pub provider: Option<String>,
    /// Chain number in use.
    pub chain: u64,
    /// Whether there is a session; it survives a reload.
    pub session: bool,
    /// Next step after an e-mail login begins.
    pub action: String,
    /// Code of the mails.
    pub code: String,
    /// Next step after a change of the address begins.
    pub update: String,
    /// Signature of a sign-in message that comes with a question about the user.
    pub signature: Option<Value>,
    /// Whether the frame never says that it is ready.
    pub mute: bool,
    /// Whether the frame cannot be created.
    pub broken: bool,
    /// Delay until the frame says that it is ready, in milliseconds.
    pub late: u64,
    /// Requests that get no answer until [`crate::World::frame_answers`].
    pub silent: Vec<FrameEvent>,
    /// Answers that replace the right ones.
    pub answers: Vec<(FrameEvent, Result<Value, Value>)>,
    /// Requests, in their order.
    pub asked: Vec<(FrameEvent, Value)>,
    /// Chains with which frames were created.
    pub opened: Vec<Option<String>>,
    pub(crate) waiting: Vec<(FrameEvent, u32)>,
    tickets: Vec<(u32, u32)>,
    count: u32,
}

impl Default for ScriptedFrame {
    fn default() -> ScriptedFrame {
        ScriptedFrame {
            address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8".into(),
            email: "alice@example.org".into(),
            provider: None,
            chain: 31337,
            session: false,
            action: "VERIFY_OTP".into(),
            code: "123456".into(),
            update: "VERIFY_PRIMARY_OTP".into(),
            signature: None,
            mute: false,
            broken: false,
            late: 0,
            silent: vec![FrameEvent::ConnectDevice, FrameEvent::RpcRequest, FrameEvent::ShowSettings],
            answers: Vec::new(),
            asked: Vec::new(),
            opened: Vec::new(),
            waiting: Vec::new(),
            tickets: Vec::new(),
            count: 0,
        }
    }
}

fn value(text: &str) -> Value {
    parse(text).unwrap_or_default()
}

impl ScriptedFrame {
    pub(crate) fn open(&mut self, chain: Option<String>) -> Option<Outcome> {
        self.opened.push(chain);
        if self.broken {
            return Some(Outcome::Failed { error: thrown(0, "refused") });
        }
        (!self.mute).then_some(Outcome::Done)
    }

    pub(crate) fn reload(&mut self) {
        self.waiting.clear();
        self.tickets.clear();
    }

    /// Answer of the frame; `None` if it is silent about this.
    pub(crate) fn answer(&mut self, event: FrameEvent, payload: Value) -> Option<Outcome> {
        // Reads of the wallet need no approval.
        if event == FrameEvent::RpcRequest
            && payload.get("method").as_str().is_some_and(|name| name.starts_with("wallet_get"))
        {
            return Some(Outcome::Answered { value: value("{}") });
        }
        self.asked.push((event, payload.clone()));
        if let Some((_, answer)) = self.answers.iter().find(|(scripted, _)| *scripted == event) {
            return Some(match answer.clone() {
                Ok(value) => Outcome::Answered { value },
                Err(error) => Outcome::Failed { error },
            });
        }
        if self.silent.contains(&event) {
            return None;
        }
        Some(match self.act(event, &payload) {
            Ok(value) => Outcome::Answered { value },
            Err(message) => Outcome::Failed { error: value(&format!(r#"{{"message":"{message}"}}"#)) },
        })
    }

    fn act(&mut self, event: FrameEvent, payload: &Value) -> Result<Value, &'static str> {
        let right = payload.get("otp").as_str() == Some(self.code.as_str());
        match event {
            FrameEvent::ConnectEmail => {
                self.session |= self.action == "CONNECT";
                Ok(value(&format!(r#"{{"action":"{}","number":"42"}}"#, self.action)))
            }
            FrameEvent::ConnectOtp if !right => Err("Wrong code"),
            FrameEvent::ConnectOtp => {
                self.session = true;
                Ok(Value::Null)
            }
            FrameEvent::GetSocialRedirectUri => {
                self.provider = payload.get("provider").as_str().map(String::from);
                Ok(value(r#"{"uri":"https://login.example/?state=1"}"#))
            }
            FrameEvent::ConnectSocial | FrameEvent::ConnectJwt => {
                self.session = true;
                Ok(self.user())
            }
            FrameEvent::IsConnected => Ok(value(&format!(r#"{{"isConnected":{}}}"#, self.session))),
            FrameEvent::GetUser if !self.session => Err("Not logged in. Log in first."),
            FrameEvent::GetUser => {
                let mut user = self.user();
                let signature = self.signature.take_if(|_| !payload.get("siwxMessage").is_null());
                if let (Some(signature), Value::Object(fields)) = (signature, &mut user) {
                    fields.push(("signature".into(), signature));
                }
                Ok(user)
            }
            FrameEvent::SwitchNetwork => {
                self.chain = payload.get("chainId").as_u64().unwrap_or(self.chain);
                Ok(payload.clone())
            }
            FrameEvent::SignOut => {
                self.session = false;
                Ok(Value::Null)
            }
            FrameEvent::UpdateEmail => Ok(value(&format!(r#"{{"action":"{}"}}"#, self.update))),
            FrameEvent::UpdateEmailPrimaryOtp | FrameEvent::UpdateEmailSecondaryOtp if !right => Err("Wrong code"),
            FrameEvent::UpdateEmailSecondaryOtp => Ok(value(r#"{"newEmail":"new@example.org"}"#)),
            _ => Ok(Value::Null),
        }
    }

    fn user(&self) -> Value {
        let provider = self.provider.as_ref().map_or("null".into(), |provider| format!("\"{provider}\""));
        value(&format!(
            r#"{{"email":"{}","address":"{}","chainId":{},"accounts":[{{"address":"{}","type":"eoa"}}],"provider":{provider},"preferredAccountType":"eoa"}}"#,
            self.email, self.address, self.chain, self.address
        ))
    }

    /// Number under which the core answers a request of its own.
    pub(crate) fn ticket(&mut self, effect: u32) -> u32 {
        self.count += 1;
        let ticket = FIRST_TICKET + self.count;
        self.tickets.push((ticket, effect));
        ticket
    }

    pub(crate) fn is_ticket(&self, ticket: u32) -> bool {
        ticket > FIRST_TICKET
    }

    /// Effect that waits for the answer of this number.
    pub(crate) fn take_ticket(&mut self, ticket: u32) -> Option<u32> {
        let place = self.tickets.iter().position(|(known, _)| *known == ticket)?;
        Some(self.tickets.remove(place).1)
    }

    /// Payloads of the requests of one kind.
    pub fn payloads(&self, event: FrameEvent) -> Vec<&Value> {
        self.asked.iter().filter(|(asked, _)| *asked == event).map(|(_, payload)| payload).collect()
    }
}
