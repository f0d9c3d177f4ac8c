//! Routes of the on-ramp: purchase of coins with fiat money.

use super::{CHAIN, Route, json, needed, query};
use crate::onramp::{
    OnrampCountries, OnrampOptions, OnrampProviders, OnrampPurchase, OnrampQuestion, OnrampQuote, OnrampUrl,
    OnrampUrlQuestion,
};
use portico_json::{Declarations, Shaped};

/// Returns the routes `/v1/onramp/*` and `/v1/generators/onrampurl`.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new("get", "/v1/onramp/providers", "onramp", "Who sells coins for money", json::<OnrampProviders>()),
        Route::new("get", "/v1/onramp/options", "onramp", "What can be bought, and with what", json::<OnrampOptions>())
            .takes([
                needed("chainId", CHAIN),
                query("country", "ISO 3166-1, two letters; by the time zone where it is missing, or the language"),
                query("subdivision", "ISO 3166-2 without the country, such as NY"),
                query("timeZone", "The IANA name of the visitor's time zone, such as Europe/Berlin"),
            ])
            .refuses(&[404, 422, 502, 503]),
        Route::new("get", "/v1/onramp/countries", "onramp", "Where coins can be bought", json::<OnrampCountries>())
            .refuses(&[404, 502, 503]),
        Route::new("get", "/v1/onramp/purchase", "onramp", "What became of a purchase", json::<OnrampPurchase>())
            .takes([
                needed("provider", "Who sells"),
                needed("reference", "As the answer of /v1/generators/onrampurl told it"),
            ])
            .refuses(&[404, 422, 502, 503]),
        Route::new("post", "/v1/onramp/quote", "onramp", "What a purchase costs now", json::<OnrampQuote>())
            .body(OnrampQuestion::shape())
            .refuses(&[404, 413, 422, 502, 503]),
        Route::new("post", "/v1/generators/onrampurl", "onramp", "Where a purchase is made", json::<OnrampUrl>())
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
