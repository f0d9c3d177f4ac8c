//! The wallet directory: `GET /getWallets`, and its pictures (spec 3.10).

use portico_json::Json;

/// One page of the directory.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct WalletPage {
    /// How many there are in all that were asked for.
    pub count: u32,
    /// At most as many as asked for.
    pub data: Vec<DirectoryWallet>,
}

/// A wallet that the directory knows.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct DirectoryWallet {
    /// Unique in the directory.
    pub id: String,
    /// "MetaMask"
    pub name: String,
    /// https.
    pub homepage: Option<String>,
    /// For `GET /getWalletImage/{image_id}`, and for one place of `GET /getWalletImages?ids=`.
    #[json(rename = "image_id")]
    pub image_id: Option<String>,
    /// The smaller, the earlier it is shown.
    pub order: u32,
    /// Opens the wallet on a phone: a scheme of its own.
    #[json(rename = "mobile_link")]
    pub mobile_link: Option<String>,
    /// Opens the wallet on a phone: an https link that the phone knows.
    #[json(rename = "link_mode")]
    pub link_mode: Option<String>,
    /// Opens the wallet on this computer.
    #[json(rename = "desktop_link")]
    pub desktop_link: Option<String>,
    /// Opens the wallet in a tab.
    #[json(rename = "webapp_link")]
    pub webapp_link: Option<String>,
    /// Where to get it.
    #[json(rename = "app_store")]
    pub app_store: Option<String>,
    /// Where to get it.
    #[json(rename = "play_store")]
    pub play_store: Option<String>,
    /// Where to get it.
    #[json(rename = "chrome_store")]
    pub chrome_store: Option<String>,
    /// EIP-6963.
    pub rdns: Option<String>,
    /// The namespaces of which it serves every chain: "eip155".
    pub namespaces: Vec<String>,
    /// CAIP-2 of the chains it serves besides.
    pub chains: Vec<String>,
    /// How a page finds it (spec 5.25).
    pub injected: Option<Vec<InjectedMark>>,
}

/// See [`DirectoryWallet::injected`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct InjectedMark {
    /// "eip155"
    pub namespace: String,
    /// "isMetaMask"
    #[json(rename = "injected_id")]
    pub injected_id: String,
}

/// The answer of `GET /getWalletImages?ids=a,b`: pictures for a screen in one request.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct WalletImages {
    /// What is unknown is left out.
    pub images: Vec<WalletImage>,
}

/// See [`WalletImages::images`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct WalletImage {
    /// As asked.
    pub id: String,
    /// `data:image/webp;base64,…`
    pub data: String,
}
