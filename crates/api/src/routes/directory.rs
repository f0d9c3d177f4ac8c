//! Routes of the wallet directory and its pictures.

use super::refusal::LIMIT;
use super::{Answer, Parameter, Refusal, Route, json, needed, path, query, whole};
use crate::directory::{WalletImages, WalletPage};
use portico_json::Shape;

/// Returns the routes `/getWallet*` and `/public/getAssetImage/*`.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new("get", "/getWallets", "Wallet directory", "Search the list of wallets", json::<WalletPage>()).gives("One page of wallets, and the number of all that were found.").takes([
            whole("page", "Page number, from 1"),
            whole("entries", "Number of wallets per page, 1 to 100"),
            query("search", "Search text"),
            query("include", "Comma-separated ids: only these wallets"),
            query("exclude", "Comma-separated ids: all but these wallets"),
            query("chains", "Comma-separated CAIP-2 ids: wallets that support any of these chains"),
            query("rdns", "Comma-separated reverse domain names: only wallets with one of them"),
            query("names", "Comma-separated names: only wallets with one of them"),
            query("sort", "Accepted and ignored: the order is always that of the directory"),
            Parameter {
                shape: Shape::Words(vec!["ios", "android"]),
                ..query("platform", "Mobile platform that the wallets support")
            },
        ]),
        Route::new(
            "get",
            "/getWalletImage/{image_id}",
            "Wallet directory",
            "Get the picture of a wallet",
            Answer::Other("image/webp"),
        ).gives("The picture. It never changes, so keep it.").refuses([Refusal::new(404, "The directory has no picture with this id. Show a placeholder."), LIMIT])
        .takes([path("image_id", "`image_id` of a wallet")])
        .open(),
        Route::new(
            "get",
            "/public/getAssetImage/{image_id}",
            "Wallet directory",
            "Get the picture of a network, a connector or a token",
            Answer::Other("image/webp"),
        ).gives("The picture.").refuses([Refusal::new(404, "The server has no picture with this id or name. Show a placeholder."), LIMIT])
        .takes([path("image_id", "`imageId` from the host's options or from a wallet, or the name of a network such as `eip155-25` or of a connector")])
        .open(),
        Route::new(
            "get",
            "/getWalletImages",
            "Wallet directory",
            "Get the pictures of several wallets at once",
            json::<WalletImages>(),
        ).gives("The pictures that were found, as data URLs. Unknown ids are left out.").refuses([LIMIT])
        .takes([needed("ids", "Up to 100 comma-separated ids")])
        .open(),
    ]
}
