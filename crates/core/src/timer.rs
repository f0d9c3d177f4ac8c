//! All timers, in one list.

use portico_json::Json;

/// An alarm. Starting one that runs moves it.
#[derive(Clone, Copy, Debug, Eq, Json, Ord, PartialEq, PartialOrd)]
pub enum Timer {
    /// The modal stops shaking (spec 2.28).
    ShakeEnd,
    /// The next snack may show (spec 2.30).
    SnackSwitch,
    /// The snack has been read.
    SnackEnd,
    /// The wallet is slow: say so.
    ConnectSlow,
    /// The code on the screen is a second older (spec 4.5).
    PairingTick,
    /// No relay has answered: say so.
    PairingSlow,
    /// What is searched for rests: search all wallets (spec 9.3).
    WalletSearch,
    /// The wallet takes long to switch: say so.
    SwitchSlow,
    /// The wallet takes long to sign: say so.
    SendSlow,
    /// No wallet came back: the stored connection is given up (spec 4.2).
    ReconnectEnd,
    /// Wallets had their time to let go.
    DisconnectEnd,
    /// The typed amount and receiver rest: estimate the fee.
    SendEstimate,
    /// Look for the receipt again (spec 9.17, 9.18).
    ReceiptPoll,
    /// The typed amount of a swap rests, or its quote is to be asked for anew.
    SwapQuote,
    /// Look for the receipt of a swap, or of its approval, again.
    SwapReceipt,
    /// The wallet takes long to sign a swap: say so.
    SwapSlow,
    /// The wallet does not say what it holds: the server is asked.
    AssetsEnd,
    /// The tokens may be asked for again (spec 9.2).
    TokensRetry,
    /// The typed name rests: ask for names that are like it.
    NameSearch,
    /// The typed amount of money rests: ask what it buys.
    OnrampQuote,
    /// The page of a purchase can be opened no longer.
    OnrampPage,
    /// Look again what became of a purchase.
    OnrampLook,
    /// Failed requests are due again (spec 8.53).
    RpcRetry,
    /// A part of the core is asked for again.
    PartRetry,
    /// A call of the host has waited long enough for one.
    PartWait,
}
