//! The routes of buying coins with money.

use super::{CHAIN, Route, json, needed, query};
use crate::onramp::{OnrampOptions, OnrampProviders, OnrampQuestion, OnrampQuote, OnrampUrl, OnrampUrlQuestion};
use portico_json::{Declarations, Shaped};

/// `/v1/onramp/*` and `/v1/generators/onrampurl`
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new("get", "/v1/onramp/providers", "onramp", "Who sells coins for money", json::<OnrampProviders>()),
        Route::new("get", "/v1/onramp/options", "onramp", "What can be bought, and with what", json::<OnrampOptions>())
            .takes([
                needed("chainId", CHAIN),
                query("country", "ISO 3166-1, two letters; by the language of the browser where it is missing"),
                query("subdivision", "ISO 3166-2 without the country, such as NY"),
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

/// The types that they name.
pub(super) fn declare(into: &mut Declarations) {
    OnrampProviders::declare(into);
    OnrampOptions::declare(into);
    OnrampQuestion::declare(into);
    OnrampQuote::declare(into);
    OnrampUrlQuestion::declare(into);
    OnrampUrl::declare(into);
}
