//! The ways to reach a wallet that is not in this browser.

use super::directory::Remote;
use portico_json::Json;

/// A way to reach a wallet.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub enum Platform {
    /// It is in this browser after all.
    Browser,
    /// Its app, on this phone.
    Mobile,
    /// Its program, on this desktop.
    Desktop,
    /// The wallet that is a page.
    Web,
    /// Its app, on another device.
    #[default]
    Qrcode,
    /// None that this device has.
    Unsupported,
}

/// The ways to a wallet from this device, the best first; any wallet is reached by the code. Who opened the app in vain may take the code to
/// another device.
pub fn offered(remote: Option<&Remote>, installed: bool, mobile: bool, opened: bool) -> Vec<Platform> {
    let Some(remote) = remote else { return vec![Platform::Qrcode] };
    let app = remote.app.is_some() || remote.universal.is_some();
    let ways = [
        (installed, Platform::Browser),
        (app && mobile, Platform::Mobile),
        (app && !mobile, Platform::Qrcode),
        (remote.web.is_some(), Platform::Web),
        (remote.desktop.is_some() && !mobile, Platform::Desktop),
        (app && mobile && opened, Platform::Qrcode),
    ];
    let mut offered: Vec<Platform> = ways.iter().filter(|(there, _)| *there).map(|(_, way)| *way).collect();
    if offered.is_empty() {
        offered.push(Platform::Unsupported);
    }
    offered
}

impl Remote {
    /// Where a link of that platform begins.
    pub fn base(&self, platform: Platform, universal_first: bool) -> Option<&String> {
        match platform {
            Platform::Mobile if universal_first => self.universal.as_ref().or(self.app.as_ref()),
            Platform::Mobile => self.app.as_ref().or(self.universal.as_ref()),
            Platform::Desktop => self.desktop.as_ref(),
            Platform::Web => self.web.as_ref(),
            _ => None,
        }
    }
}
