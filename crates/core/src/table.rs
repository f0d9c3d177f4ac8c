//! The table of features and parts. A new feature is a row here (and a `mod` line in `lib.rs`), a folder that implements
//! [`Feature`](crate::feature::Feature), and its views in the widget. CONTRIBUTING.md walks through one.

/// Passes all rows to a macro: `features!(declare_events)`.
///
/// - `views`: the views of the modal (spec 2.2) except those of the parts. Those `of_account`, and all views of parts, open only while an
///   account is connected (spec 6.2).
/// - `first`: features in the module that is loaded before the first list of wallets. Their fields of the snapshot stand in `snapshot.rs`.
/// - `home`: features in the part that is loaded once the modal is drawn, or if the visitor is connected (decision 7).
/// - `parts`: features with a part of their own, loaded when their form is about to be shown. `switch` is the field of the host's
///   option `features` that turns the part on, if one does, `form` the view in which a visitor begins.
///
/// `snapshot` lists the fields that views read, each with the function that computes it.
macro_rules! features {
    ($use:ident) => {
        $use! {
            views [
                without_account: [
                    #[default]
                    Connect,
                    AllWallets,
                    Downloads,
                    ConnectingWalletConnect,
                    ConnectingWalletConnectBasic,
                    ConnectingExternal,
                    ConnectingMultiChain,
                    ConnectSocials,
                    ConnectingSocial,
                    ConnectingFarcaster,
                    EmailVerifyDevice,
                    EmailVerifyOtp,
                    UpgradeEmailWallet,
                    UnsupportedChain,
                    RegisterAccountNameSuccess,
                    Networks,
                    SwitchNetwork,
                    WhatIsAWallet,
                    WhatIsANetwork,
                    WhatIsABuy,
                ],
                of_account: [
                    Account,
                    ApproveTransaction,
                    ChooseAccountName,
                    RegisterAccountName,
                    WalletReceive,
                    Transactions,
                    TokenDetails,
                    NftDetails,
                    TransactionDetails,
                    ProfileWallets,
                    SwitchAddress,
                ],
            ]
            first [
                Config(crate::config::Config) in config { events: crate::config::Event, }
                Modal(crate::modal::Modal) in modal { events: crate::modal::Event, alarms: crate::modal::Alarm, }
                Notice(crate::notice::Notice) in notice { events: crate::notice::Event, alarms: crate::notice::Alarm, }
                Connect(crate::connect::Connect) in connect {
                    events: crate::connect::Event,
                    reasons: crate::connect::Reason,
                    alarms: crate::connect::Alarm,
                }
                Network(crate::network::Networks) in network {
                    events: crate::network::Event,
                    reasons: crate::network::Reason,
                    alarms: crate::network::Alarm,
                }
                Analytics(crate::analytics::Analytics) in analytics { reasons: crate::analytics::Reason, }
            ]
            home [
                Account(crate::account::Accounts) in account {
                    events: crate::account::Event,
                    reasons: crate::account::Reason,
                    alarms: crate::account::Alarm,
                    snapshot: {
                        /// NFTs of the account; `null` before they were requested.
                        nfts: Option<crate::account::NftsView> = Features::nfts_view,
                        /// Text that was just copied; `null` some seconds later.
                        copied: Option<String> = Features::copied_view,
                    },
                }
                Detail(crate::detail::Detail) in detail {
                    events: crate::detail::Event,
                    snapshot: {
                        /// Details of the open token, NFT or transaction; `null` before one was opened.
                        detail: Option<crate::detail::View> = Features::detail_view,
                    },
                }
                Receive(crate::receive::Receive) in receive {
                    snapshot: {
                        /// Address and code to receive at; `null` while they are not shown.
                        receive: Option<crate::receive::View> = Features::receive_view,
                    },
                }
                Connections(crate::connections::Connections) in connections {
                    events: crate::connections::Event,
                    snapshot: {
                        /// Connections of wallets that are not connected now, the most recently used first.
                        recent_connections: Vec<crate::connections::UsedConnection> = Features::recent_connections,
                    },
                }
                Name(crate::name::Names) in name {
                    events: crate::name::Event,
                    reasons: crate::name::Reason,
                    alarms: crate::name::Alarm,
                    snapshot: {
                        /// Registration of a name.
                        name: crate::name::View = Features::name_view,
                    },
                }
                Activity(crate::activity::Activity) in activity {
                    events: crate::activity::Event,
                    reasons: crate::activity::Reason,
                    snapshot: {
                        /// Transactions of the account; `null` before they were requested.
                        activity: Option<crate::activity::View> = Features::activity_view,
                    },
                }
            ]
            parts [
                Send(crate::send::Send) in send {
                    events: crate::send::Event,
                    reasons: crate::send::Reason,
                    alarms: crate::send::Alarm,
                    switch: send,
                    form: WalletSend,
                    views: [WalletSend, WalletSendSelectToken, WalletSendPreview, WalletSendConfirmed],
                    snapshot: {
                        /// Send form.
                        send: crate::send::View = Features::send_view,
                        /// Tokens that can be sent; `null` while their list is not shown.
                        send_tokens: Option<crate::send::Choices> = Features::send_tokens,
                    },
                }
                Solana(crate::solana::Solana) in solana {
                    events: crate::solana::Event,
                    reasons: crate::solana::Reason,
                    alarms: crate::solana::Alarm,
                    switch: send,
                    form: SolanaSend,
                    views: [SolanaSend, SolanaSendSelectToken, SolanaSendPreview, SolanaSendConfirmed],
                    snapshot: {
                        /// Payment on Solana; `null` on other networks.
                        solana: Option<crate::solana::View> = Features::solana_view,
                        /// Tokens of Solana that can be sent; `null` while their list is not shown.
                        solana_tokens: Option<crate::solana::Choices> = Features::solana_tokens,
                    },
                }
                Bitcoin(crate::bitcoin::Bitcoin) in bitcoin {
                    events: crate::bitcoin::Event,
                    reasons: crate::bitcoin::Reason,
                    alarms: crate::bitcoin::Alarm,
                    switch: send,
                    form: BitcoinSend,
                    views: [BitcoinSend, BitcoinSendPreview, BitcoinSendConfirmed],
                    snapshot: {
                        /// Payment on Bitcoin; `null` on other networks.
                        bitcoin: Option<crate::bitcoin::View> = Features::bitcoin_view,
                    },
                }
                Onramp(crate::onramp::Onramp) in onramp {
                    events: crate::onramp::Event,
                    reasons: crate::onramp::Reason,
                    alarms: crate::onramp::Alarm,
                    switch: onramp,
                    form: OnRampProviders,
                    views: [
                        OnRampProviders, OnRampTokenSelect, OnRampFiatSelect, OnRampCountrySelect, OnRampStateSelect, BuyInProgress
                    ],
                    snapshot: {
                        /// Purchase of coins with fiat money.
                        onramp: crate::onramp::View = Features::onramp_view,
                    },
                }
                Swap(crate::swap::Swap) in swap {
                    events: crate::swap::Event,
                    reasons: crate::swap::Reason,
                    alarms: crate::swap::Alarm,
                    switch: swaps,
                    form: Swap,
                    views: [Swap, SwapSelectToken, SwapPreview, SwapConfirmed],
                    snapshot: {
                        /// Swap form.
                        swap: crate::swap::View = Features::swap_view,
                        /// Tokens that can be swapped; `null` if there are none. A separate field because the list is long.
                        swap_tokens: Option<crate::swap::TokensView> = Features::swap_tokens_view,
                    },
                }
                Embedded(crate::embedded::Embedded) in embedded {
                    events: crate::embedded::Event,
                    reasons: crate::embedded::Reason,
                    alarms: crate::embedded::Alarm,
                    switch: email,
                    form: UpdateEmailWallet,
                    views: [UpdateEmailWallet, UpdateEmailPrimaryOtp, UpdateEmailSecondaryOtp],
                    snapshot: {
                        /// Login, change of the address and pending approval of the embedded wallet.
                        embedded: crate::embedded::View = Features::embedded_view,
                    },
                }
                Siwx(crate::siwx::Siwx) in siwx {
                    events: crate::siwx::Event,
                    reasons: crate::siwx::Reason,
                    alarms: crate::siwx::Alarm,
                    form: SIWXSignMessage,
                    views: [SIWXSignMessage],
                    snapshot: {
                        /// Sign-in with the connected wallet.
                        siwx: crate::siwx::View = Features::siwx_view,
                    },
                }
            ]
        }
    };
}

pub(crate) use features;
