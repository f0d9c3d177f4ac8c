//! Pairing view, and the visitor's actions on it: another platform, the link, copying the URI.

use super::*;

/// Progress of a pairing.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "PairingPhase")]
pub enum Phase {
    /// The code is being requested.
    Opening,
    /// The code is shown and waits for a wallet.
    Ready,
    /// The code is shown, but no relay has responded for long.
    Slow,
    /// No relay can be reached, or all refuse this page; `error` holds their reason.
    Unreachable,
    /// The visitor refused in the wallet.
    Refused,
    /// The wallet failed or sent an invalid response, or no code could be created.
    Failed,
    /// The code was passed to a wallet, which did not respond in time.
    Expired,
}

/// Connection state of a relay.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum RelayState {
    Connecting,
    Open,
    /// Disconnected; a retry is scheduled.
    Closed,
    /// The relay refuses this page; no retry.
    Refused,
}

/// Pairing for views.
#[derive(Clone, Json, PartialEq)]
#[json(name = "PairingView")]
pub struct View {
    pub phase: Phase,
    /// URI in the QR code; the copy button copies it.
    pub uri: Option<String>,
    /// QR code; `null` while it is being requested, or if the URI is too long for one.
    pub qr: Option<QrCode>,
    /// The chosen wallet; `null` for any.
    pub wallet: Option<Item>,
    /// Platforms on which the wallet can be reached, the best first. Never empty.
    pub platforms: Vec<Platform>,
    /// Platform that is shown.
    pub platform: Platform,
    /// This device is a phone: the wallet is rather on it than on another that could scan the code.
    pub mobile: bool,
    /// Link that the button opens; set before the tap.
    pub href: Option<String>,
    /// Whether `href` is a web address rather than an app's own scheme.
    pub universal: bool,
    /// The link was opened; the wallet has not responded yet.
    pub opened: bool,
    /// The URI was copied.
    pub copied: bool,
    /// Cause of a failure.
    pub error: Option<RpcError>,
    /// Links to install the wallet.
    pub installs: Vec<Link>,
}

impl Connect {
    pub(in crate::connect) fn platform_chosen(&mut self, platform: Platform, cx: &mut Cx) {
        if !self.platforms(cx.facts).contains(&platform) {
            return;
        }
        let known = self.remote.target.wallet.clone().filter(|_| platform == Platform::Browser);
        match known.and_then(|known| self.here(&known, cx.facts)) {
            Some(connector) => self.choose(&connector, None, None, cx),
            None => {
                self.remote.target.platform = Some(platform);
                // On a desktop the code is for another device, so a wallet that was opened here will not be the one to respond.
                if platform == Platform::Qrcode && !cx.facts.environment.mobile {
                    self.remote.target.opened = false;
                    self.remote.target.linked = None;
                }
            }
        }
    }

    /// Opens the wallet's link within the visitor's gesture, and stores it for later requests to the wallet (spec 4.10).
    pub(in crate::connect) fn link_asked(&mut self, cx: &mut Cx) {
        let view = self.pairing_view(cx.facts);
        let Some((href, universal)) = view.as_ref().and_then(|view| Some((view.href.clone()?, view.universal))) else {
            return;
        };
        let target = if universal || cx.facts.environment.telegram { LinkTarget::Apart } else { LinkTarget::Here };
        cx.order(Operation::OpenLink { href, target });
        let platform = self.platform(cx.facts);
        let remote = &mut self.remote;
        remote.target.opened = true;
        remote.target.platform = Some(platform);
        remote.target.linked = remote.codes.current.as_ref().map(|pairing| pairing.topic.clone());
        remote.note(cx);
        let base = remote.chosen().and_then(|chosen| chosen.base(platform, cx.facts.options.universal_links)).cloned();
        if let (Some(href), Some(wallet), true) = (base, &remote.target.wallet, platform != Platform::Web) {
            let choice = vec![
                (String::from("href"), Value::Text(href.clone())),
                ("name".into(), Value::Text(wallet.name.clone())),
            ];
            let value = to_text(&Value::Object(choice));
            cx.order(Operation::WriteStorage { area: StorageArea::Local, key: keys::DEEP_LINK.into(), value });
            remote.link = Some(href);
        }
    }

    /// Tracks a click on an install link; the browser follows the link itself.
    pub(in crate::connect) fn get_asked(&self, kind: LinkKind, cx: &mut Cx) {
        let word = match kind {
            LinkKind::ChromeStore => "chrome_store",
            LinkKind::AppStore => "app_store",
            LinkKind::PlayStore => "play_store",
            LinkKind::Homepage => "homepage",
            // Links to the wallet itself are no installs.
            LinkKind::Open | LinkKind::WebApp => return,
        };
        let shown = if cx.facts.shows_pairing() { self.remote.target.wallet.as_ref() } else { self.directory.wanted() };
        let Some(known) = shown else { return };
        let tracked = Tracked::new(Name::GetWallet).with("name", known.name.as_str()).number("walletRank", known.rank);
        cx.signal(Signal::Track(tracked.with("explorerId", known.id.as_str()).with("type", word)));
    }

    pub(in crate::connect) fn copy_asked(&mut self, cx: &mut Cx) {
        if let Some(pairing) = self.remote.codes.current.as_ref().filter(|_| self.remote.is_wanted()) {
            cx.ask(Operation::CopyText { text: pairing.uri.clone() }, Reason::UriCopied);
        }
    }

    pub(in crate::connect) fn uri_copied(&mut self, answer: Result<Value, RpcError>, cx: &mut Cx) {
        self.remote.target.copied = answer.is_ok();
        match answer {
            Ok(_) => cx.say(Variant::Success, Message::LinkCopied),
            Err(_) => cx.say(Variant::Error, Message::CopyFailed),
        }
    }

    /// Id of the connector through which a directory wallet is available in this browser.
    pub(super) fn here(&self, known: &Known, facts: &Facts) -> Option<String> {
        let connectors = self.without_duplicates();
        installed(known, &connectors, facts).map(|connector| connector.id.clone())
    }

    pub(super) fn platforms(&self, facts: &Facts) -> Vec<Platform> {
        let remote = &self.remote;
        let here = remote.target.wallet.as_ref().is_some_and(|known| self.here(known, facts).is_some());
        offered(remote.chosen(), here, facts.environment.mobile, remote.target.opened)
    }

    pub(super) fn platform(&self, facts: &Facts) -> Platform {
        let platforms = self.platforms(facts);
        self.remote.target.platform.filter(|chosen| platforms.contains(chosen)).unwrap_or(platforms[0])
    }

    /// Pairing for views; `None` while no code is wanted.
    pub fn pairing_view(&self, facts: &Facts) -> Option<View> {
        let remote = &self.remote;
        if !remote.is_wanted() {
            return None;
        }
        let platform = self.platform(facts);
        let current = remote.codes.current.as_ref();
        let base = remote.chosen().and_then(|chosen| chosen.base(platform, facts.options.universal_links));
        let (phase, error) = match (&remote.screen, current) {
            (Screen::Failed(phase, error), _) => (*phase, Some(error.clone())),
            (_, Some(_)) => {
                let code = if remote.is_refused() { REFUSED_HERE } else { 4900 };
                let reason = remote.relays.reason.as_ref().map(|reason| RpcError::new(code, reason));
                remote.unreached().map_or((Phase::Ready, None), |phase| (phase, reason))
            }
            (_, None) if remote.relays.wait == Wait::Long && remote.is_opening() => (Phase::Slow, None),
            (_, None) => (Phase::Opening, None),
        };
        Some(View {
            phase,
            uri: current.map(|pairing| pairing.uri.clone()),
            qr: current.and_then(|pairing| pairing.code.clone()),
            wallet: remote.target.wallet.as_ref().map(|known| self.directory_item(known, facts)),
            platforms: self.platforms(facts),
            platform,
            mobile: facts.environment.mobile,
            href: current.zip(base).map(|(pairing, base)| {
                link::to_pair(base, &pairing.uri, facts.environment.telegram && facts.environment.android)
            }),
            universal: base.is_some_and(|base| base.starts_with("https:")),
            opened: remote.target.opened,
            copied: remote.target.copied,
            error: error.filter(|_| phase != Phase::Expired),
            installs: remote.target.wallet.as_ref().map(|wallet| installs(&wallet.links, facts)).unwrap_or_default(),
        })
    }

    /// Seconds left of the code on the screen.
    pub fn countdown(&self, facts: &Facts) -> Option<u32> {
        let remote = &self.remote;
        let counts = matches!(remote.screen, Screen::Shown) && facts.shows_pairing();
        remote.codes.current.as_ref().filter(|_| counts)?.until.map(|_| remote.codes.left)
    }
}

/// Install links of a wallet that fit this device.
fn installs(links: &[Link], facts: &Facts) -> Vec<Link> {
    let fits = |link: &&Link| match link.kind {
        LinkKind::Open | LinkKind::WebApp => false,
        LinkKind::AppStore => !facts.environment.android,
        LinkKind::PlayStore => !facts.environment.ios,
        LinkKind::ChromeStore => !facts.environment.mobile,
        LinkKind::Homepage => true,
    };
    links.iter().filter(fits).cloned().collect()
}
