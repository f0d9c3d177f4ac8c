//! The host's options: parsed once, checked, and available to all features through the facts.

mod feature;
mod features;
mod fields;
mod options;
mod region;
#[cfg(test)]
mod tests;

pub use features::{
    ConnectMethod, ConnectorGroup, Feature, Features, SWAP_CHAINS, Social, WalletFeature, supported_on,
};
pub use fields::Fault;
pub use options::{BOTH_SIGN_INS, Options, ThemeMode};
pub use region::is_restricted;

use crate::cx::Cx;
use crate::signal::Signal;
use portico_json::{Json, Value};
use portico_terms::Namespace;
use std::rc::Rc;

/// Config: events of host and browser.
#[derive(Clone, Debug, Json)]
#[json(name = "ConfigEvent")]
pub enum Event {
    /// The host changed the theme.
    ThemeChanged {
        /// New mode; `null` keeps the current one.
        mode: Option<ThemeMode>,
        /// New variables; `null` keeps the current ones.
        variables: Value,
    },
    /// The host changed some features.
    FeaturesChanged {
        /// An object in the shape of the `features` option.
        features: Value,
    },
    /// The host changed other options. Networks, adapters and theme stay as they are.
    OptionsChanged {
        /// All options, as at boot.
        options: Value,
    },
    /// The browser reported its time zone. That takes so long that the first frame does not wait for it.
    TimeZoneTold {
        /// IANA name of the time zone.
        time_zone: String,
    },
}

/// State of the config feature.
#[derive(Debug, Default)]
pub struct Config {
    options: Rc<Options>,
    theme_variables: Value,
    restricted: bool,
    time_zone: Rc<str>,
}

/// Options for views.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "ConfigView")]
pub struct View {
    /// Dark by default (spec 1.6).
    pub theme_mode: ThemeMode,
    /// Theme variables as the host gave them.
    pub theme_variables: Value,
    /// Feature switches (spec 6.4).
    pub features: Features,
    /// Whether networks may be switched in the modal.
    pub network_switch: bool,
    /// Whether remote wallets can be reached.
    pub wallet_connect: bool,
    /// Whether the modal is embedded in the page.
    pub embedded: bool,
    /// Whether alerts are drawn.
    pub debug: bool,
    /// "appkit" (spec 1.6).
    pub sdk_type: String,
    /// Whether the visitor's time zone is a restricted one (spec 6.10).
    pub restricted: bool,
    /// URL of the terms of service.
    pub terms_url: Option<String>,
    /// URL of the privacy policy.
    pub privacy_url: Option<String>,
}

impl Config {
    /// Parses the options at boot. [`Config::report`] reports the faults, once.
    pub fn new(options: &Value) -> Config {
        Config {
            options: Rc::new(Options::read(options)),
            theme_variables: options.get("themeVariables").clone(),
            restricted: false,
            time_zone: Rc::default(),
        }
    }

    /// The visitor's time zone; empty until the browser reported it.
    pub fn time_zone(&self) -> Rc<str> {
        self.time_zone.clone()
    }

    pub fn options(&self) -> Rc<Options> {
        self.options.clone()
    }

    /// Reports the faults of the options, but for known ones.
    pub fn report(&self, known: &[Fault], cx: &mut Cx) {
        for fault in self.options.faults.iter().filter(|fault| !known.contains(fault)) {
            cx.signal(Signal::OptionFaulted(fault.alert, fault.detail.clone()));
        }
    }

    /// Dispatches one event.
    #[inline(never)]
    pub fn update(&mut self, event: Event, cx: &mut Cx) {
        let before = self.options();
        let mut options = (*before).clone();
        match event {
            Event::ThemeChanged { mode, variables } => {
                options.theme_mode = mode.unwrap_or(options.theme_mode);
                if !variables.is_null() {
                    self.theme_variables = variables;
                }
                cx.signal(Signal::ThemeChanged(self.theme(options.theme_mode)));
            }
            Event::FeaturesChanged { features } => options.change_features(&features),
            Event::OptionsChanged { options: value } => {
                options = Options {
                    networks: options.networks,
                    default_network: options.default_network,
                    adapters: options.adapters,
                    theme_mode: options.theme_mode,
                    ..Options::read(&value)
                };
            }
            Event::TimeZoneTold { time_zone } => {
                self.restricted = is_restricted(&time_zone);
                self.time_zone = time_zone.into();
                return;
            }
        }
        self.options = Rc::new(options);
        self.report(&before.faults, cx);
    }

    /// Theme, as the frame of the embedded wallet is told it.
    fn theme(&self, mode: ThemeMode) -> Value {
        let mode = if mode == ThemeMode::Light { "light" } else { "dark" };
        Value::Object(vec![("themeMode".into(), mode.into()), ("themeVariables".into(), self.theme_variables.clone())])
    }

    /// The host removed the adapter of a namespace.
    pub fn remove_adapter(&mut self, namespace: Namespace) {
        let mut options = (*self.options).clone();
        options.adapters.retain(|adapter| *adapter != namespace);
        self.options = Rc::new(options);
    }

    /// Options for views.
    pub fn view(&self) -> View {
        let options = &self.options;
        View {
            theme_mode: options.theme_mode,
            theme_variables: self.theme_variables.clone(),
            features: options.features.clone(),
            network_switch: options.network_switch,
            wallet_connect: options.wallet_connect,
            embedded: options.embedded,
            debug: options.debug,
            sdk_type: options.sdk_type.clone(),
            restricted: self.restricted,
            terms_url: options.terms_url.clone(),
            privacy_url: options.privacy_url.clone(),
        }
    }
}
