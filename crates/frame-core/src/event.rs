use crate::settings::Act;
use portico_api::frame::NetworkName;
use portico_json::Json;

/// Fact that the page reports.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "FrameUiEvent", tag = "type")]
pub enum Event {
    /// A message came through the port, as JSON text; untrusted until parsed.
    HostMessage { text: String },
    /// This revision of an approval stands on the screen.
    ApprovalPainted {
        /// Number of the approval.
        approval: u32,
        /// Revision of its content.
        revision: u32,
    },
    /// The frame was resized, scrolled or focused: the visitor needs time to see what is there now.
    ApprovalDisturbed,
    /// Whether something covers the approval, where the browser can tell (Intersection Observer, version 2).
    ApprovalCovered { covered: bool },
    /// The visitor clicked Approve. The page reports trusted clicks only.
    Approved {
        /// Number of the approval.
        approval: u32,
        /// Revision of the content that the visitor saw.
        revision: u32,
    },
    /// The visitor confirmed in the window that the frame opened. The page checks that the message is that window's.
    Decided {
        /// Number of the approval.
        approval: u32,
        /// Revision of the content that the visitor saw.
        revision: u32,
    },
    /// The visitor clicked Decline.
    Cancelled {
        /// Number of the approval.
        approval: u32,
    },
    /// The visitor clicked Block.
    Blocked {
        /// Number of the approval.
        approval: u32,
    },
    /// The visitor chose something in the settings.
    SettingsActed {
        act: Act,
        /// Id of the way or the device that it is about.
        id: Option<String>,
    },
    /// The visitor read what happens and goes on.
    SettingsContinued {
        /// Whether a passkey confirms it instead of a mail.
        passkey: bool,
    },
    /// The visitor typed the address of a further login.
    EmailTyped { email: String },
    /// The visitor typed the code that went to it.
    CodeTyped { code: String },
    /// The visitor wants another mail with a code.
    CodeWanted,
    /// The visitor goes back: to the overview of the settings, or from a code to its address.
    SettingsLeft,
    /// The visitor is done with the settings.
    SettingsClosed,
    /// The wallet's server told how its configuration names chains.
    NetworksRead { networks: Vec<NetworkName> },
    /// The visitor typed the code of a recovery kit.
    KitTyped { code: String },
    /// The visitor typed a password, to set it or to open a locked wallet. The page holds it: it is in no event.
    PasswordTyped,
    /// The visitor opens a locked wallet by a passkey.
    PasskeyUsed,
    /// The visitor wants a new wallet with a passkey.
    PasskeyWanted,
}
