//! Routes of the on-ramp: purchase of coins with fiat money.

use super::{Route, json, needed, query};
use crate::onramp::{
    OnrampCountries, OnrampOptions, OnrampProviders, OnrampPurchase, OnrampQuestion, OnrampQuote, OnrampUrl,
    OnrampUrlQuestion,
};
use portico_json::{Declarations, Shaped};

/// Returns the routes `/v1/onramp/*` and `/v1/generators/onrampurl`.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            "get",
            "/v1/onramp/providers",
            "Buy crypto",
            "List the providers that sell crypto",
            json::<OnrampProviders>(),
        ),
        Route::new(
            "get",
            "/v1/onramp/options",
            "Buy crypto",
            "List what can be bought and how to pay",
            json::<OnrampOptions>(),
        )
        .takes([
            query("chainId", "CAIP-2 id of a chain, such as eip155:8453; eip155:1 by default"),
            query("country", "ISO 3166-1 alpha-2 code; by default from the time zone or the browser language"),
            query("subdivision", "ISO 3166-2 code without the country, such as NY"),
            query("timeZone", "IANA name of the visitor's time zone, such as Europe/Berlin"),
        ])
        .refuses(&[404, 422, 502, 503]),
        Route::new(
            "get",
            "/v1/onramp/countries",
            "Buy crypto",
            "List the countries in which crypto can be bought",
            json::<OnrampCountries>(),
        )
        .refuses(&[404, 502, 503]),
        Route::new("get", "/v1/onramp/purchase", "Buy crypto", "Get the state of a purchase", json::<OnrampPurchase>())
            .takes([
                needed("provider", "Id of the on-ramp provider"),
                needed("reference", "`reference` from the response of /v1/generators/onrampurl"),
            ])
            .refuses(&[404, 422, 502, 503]),
        Route::new("post", "/v1/onramp/quote", "Buy crypto", "Get quotes for a purchase", json::<OnrampQuote>())
            .body(OnrampQuestion::shape())
            .refuses(&[404, 413, 422, 502, 503]),
        Route::new(
            "post",
            "/v1/generators/onrampurl",
            "Buy crypto",
            "Get the URL of the provider's page for a purchase",
            json::<OnrampUrl>(),
        )
        .body(OnrampUrlQuestion::shape())
        .refuses(&[404, 413, 422, 502, 503]),
    ]
}

/// Declares the types of the on-ramp routes.
pub(super) fn declare(into: &mut Declarations) {
    OnrampProviders::declare(into);
    OnrampCountries::declare(into);
    OnrampOptions::declare(into);
    OnrampPurchase::declare(into);
    OnrampQuestion::declare(into);
    OnrampQuote::declare(into);
    OnrampUrlQuestion::declare(into);
    OnrampUrl::declare(into);
}
