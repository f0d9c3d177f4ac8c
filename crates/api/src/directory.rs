//! Wallet directory: `GET /getWallets`, and the pictures of its wallets (spec 3.10).

use portico_json::Json;

/// Response of `GET /getWallets`: one page of the directory.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct WalletPage {
    /// Number of wallets that match the request, over all pages.
    pub count: u32,
    /// Wallets of this page, at most as many as requested.
    pub data: Vec<DirectoryWallet>,
}

/// Wallet listed in the directory.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct DirectoryWallet {
    /// Identifier, unique in the directory.
    pub id: String,
    /// Name: "MetaMask".
    pub name: String,
    /// https URL of the wallet's site.
    pub homepage: Option<String>,
    /// Id of the picture, for `GET /getWalletImage/{image_id}` and `GET /getWalletImages?ids=`.
    #[json(rename = "image_id")]
    pub image_id: Option<String>,
    /// Rank in lists: wallets with smaller numbers are shown first.
    pub order: u32,
    /// Link that opens the wallet on a phone through its own URL scheme.
    #[json(rename = "mobile_link")]
    pub mobile_link: Option<String>,
    /// https link that opens the wallet on a phone (universal link).
    #[json(rename = "link_mode")]
    pub link_mode: Option<String>,
    /// Link that opens the desktop wallet.
    #[json(rename = "desktop_link")]
    pub desktop_link: Option<String>,
    /// URL of the wallet's web app.
    #[json(rename = "webapp_link")]
    pub webapp_link: Option<String>,
    /// URL of the wallet in Apple's App Store.
    #[json(rename = "app_store")]
    pub app_store: Option<String>,
    /// URL of the wallet in Google Play.
    #[json(rename = "play_store")]
    pub play_store: Option<String>,
    /// URL of the wallet in the Chrome Web Store.
    #[json(rename = "chrome_store")]
    pub chrome_store: Option<String>,
    /// Reverse domain name of the wallet (EIP-6963).
    pub rdns: Option<String>,
    /// Namespaces of which the wallet supports every chain: "eip155".
    pub namespaces: Vec<String>,
    /// CAIP-2 ids of further chains that the wallet supports.
    pub chains: Vec<String>,
    /// Marks by which a page detects the injected wallet (spec 5.25).
    pub injected: Option<Vec<InjectedMark>>,
}

/// Mark by which a page detects an injected wallet.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct InjectedMark {
    /// Namespace of the mark: "eip155".
    pub namespace: String,
    /// Property of the injected provider: "isMetaMask".
    #[json(rename = "injected_id")]
    pub injected_id: String,
}

/// Response of `GET /getWalletImages?ids=a,b`: the pictures of a screen in one request.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct WalletImages {
    /// Pictures found; unknown ids are left out.
    pub images: Vec<WalletImage>,
}

/// Picture of a wallet.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct WalletImage {
    /// Id as in the request.
    pub id: String,
    /// Picture as a data URL: `data:image/webp;base64,…`.
    pub data: String,
}
