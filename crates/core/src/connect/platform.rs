//! Platforms on which a wallet outside this browser can be reached.

use super::directory::Remote;
use portico_json::Json;

/// A platform on which a wallet can be reached.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub enum Platform {
    /// An extension in this browser.
    Browser,
    /// The app on this phone.
    Mobile,
    /// The desktop program on this computer.
    Desktop,
    /// The wallet's web app.
    Web,
    /// The app on another device, by QR code.
    #[default]
    Qrcode,
    /// Not available for this device.
    Unsupported,
}

/// Platforms for a wallet on this device, the best first; without a chosen wallet only the QR code. After an opened app did not respond,
/// the QR code for another device is offered too.
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
    /// Base of a link for this platform.
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
