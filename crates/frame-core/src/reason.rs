use crate::foreseen::Part;
use crate::message::Request;
use crate::settings::Step;
use portico_api::frame::UserQuestion;
use portico_json::Value;

/// Why an effect was ordered: what its outcome is for.
#[derive(Debug)]
pub enum Reason {
    /// A message went to the host.
    Posted,
    /// Start of an e-mail login.
    LoginStarted { request: Request },
    /// Wait for the approval of this device.
    DeviceWaited { transaction: String },
    /// Check of a code.
    CodeChecked { request: Request, transaction: String },
    /// Start of a login at another service.
    SocialStarted { request: Request, provider: String },
    /// End of a login at another service.
    SocialFinished {
        request: Request,
        question: UserQuestion,
        /// Whether the visitor logged in, and not the page by a token.
        visitor: bool,
    },
    /// Start of a login by Farcaster.
    FarcasterStarted { request: Request },
    /// Wait for the signature of a login by Farcaster.
    FarcasterWaited { transaction: String },
    /// Read of the user, for `CONNECT`: the device has a live session.
    SessionTaken { request: Request },
    /// Read of the user.
    UserRead { request: Request, question: UserQuestion },
    /// Signature of the sign-in message that came with a question about this user.
    SignedIn { request: Request, user: Value, text: String, asked: Value },
    /// Question whether there is a session.
    ConnectionRead { request: Request },
    /// End of the session.
    SignedOut { request: Request },
    /// Step of a change of the address, which is answered by a part of the response.
    EmailUpdated { request: Request },
    /// End of a change of the address.
    EmailChanged { request: Request },
    /// Call that a chain answers without an approval.
    Read { request: Request },
    /// Reads for a transaction that waits for approval.
    Prepared { approval: u32 },
    /// Whether the wallet is frozen.
    FreezeRead { approval: u32 },
    /// Whether the page may ask for an approval.
    SiteRead { number: u32 },
    /// Receivers that the account paid before.
    PaidRead { approval: u32 },
    /// Whether the visitor wants to prove each signature.
    StrictRead { approval: u32 },
    /// Names of the tokens that a simulation moves.
    Explained { approval: u32 },
    /// Decimals and symbols of the tokens of typed data.
    Named { approval: u32 },
    /// Simulation of these transactions by a node of Solana.
    Foreseen { approval: u32, parts: Vec<Part> },
    /// Signature of an approved request.
    Signed { approval: u32 },
    /// Window in which the visitor confirms: until it is closed.
    WindowEnded { approval: u32 },
    /// Step of the settings.
    Settings { round: u32, step: Step },
    /// Broadcast of a signed transaction; the host gets this answer.
    Sent { approval: u32, answer: Value },
}
