//! Routes of the on-ramp: purchase of coins with fiat money.

use super::refusal::DATABASE;
use super::{Refusal, Route, json, needed, query};
use crate::onramp::{
    OnrampCountries, OnrampOptions, OnrampProviders, OnrampPurchase, OnrampQuestion, OnrampQuote, OnrampUrl,
    OnrampUrlQuestion,
};
use portico_json::{Declarations, Shaped};

const NO_PROVIDER: Refusal = Refusal::new(
    404,
    "No provider is set up on this server, or it doesn't sell on this network. Choose another network or provider.",
);
const NOT_SOLD: Refusal = Refusal::new(
    422,
    "The provider doesn't sell this, or a value isn't valid. Correct the `field` of the reason, such as `country`.",
);
const FAILED: Refusal = Refusal::new(
    502,
    "The provider isn't responding, or its answer can't be read. Try again, or choose another provider.",
);
const BUSY: &str =
    "The provider is busy, or the database isn't responding. Try again after the seconds in `retry-after`.";

/// Returns the routes `/v1/onramp/*` and `/v1/generators/onrampurl`.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            "get",
            "/v1/onramp/providers",
            "Buy crypto",
            "List the providers that sell crypto",
            json::<OnrampProviders>(),
        )
        .gives("The providers in the operator's order. The list is empty if there is none."),
        Route::new(
            "get",
            "/v1/onramp/options",
            "Buy crypto",
            "List what can be bought and how to pay",
            json::<OnrampOptions>(),
        )
        .gives("What can be bought on the network, and the ways to pay in the country.")
        .takes([
            query("chainId", "CAIP-2 id of a chain, such as eip155:8453; eip155:1 by default"),
            query("country", "ISO 3166-1 alpha-2 code; by default from the time zone or the browser language"),
            query("subdivision", "ISO 3166-2 code without the country, such as NY"),
            query("timeZone", "IANA name of the visitor's time zone, such as Europe/Berlin"),
        ])
        .refuses([NO_PROVIDER, NOT_SOLD, FAILED, DATABASE.because(BUSY)]),
        Route::new(
            "get",
            "/v1/onramp/countries",
            "Buy crypto",
            "List the countries in which crypto can be bought",
            json::<OnrampCountries>(),
        )
        .gives("The countries in which a provider sells.")
        .refuses([NO_PROVIDER, FAILED, DATABASE.because(BUSY)]),
        Route::new("get", "/v1/onramp/purchase", "Buy crypto", "Get the state of a purchase", json::<OnrampPurchase>())
            .gives("The state of the purchase. Ask again after four seconds while it is pending.")
            .takes([
                needed("provider", "Id of the on-ramp provider"),
                needed("reference", "`reference` from the response of /v1/generators/onrampurl"),
            ])
            .refuses([NO_PROVIDER, NOT_SOLD, FAILED, DATABASE.because(BUSY)]),
        Route::new("post", "/v1/onramp/quote", "Buy crypto", "Get quotes for a purchase", json::<OnrampQuote>())
            .gives("What the visitor pays, fees included, and receives.")
            .body(OnrampQuestion::shape())
            .refuses([NO_PROVIDER, NOT_SOLD, FAILED, DATABASE.because(BUSY)]),
        Route::new(
            "post",
            "/v1/generators/onrampurl",
            "Buy crypto",
            "Get the URL of the provider's page for a purchase",
            json::<OnrampUrl>(),
        )
        .gives("The URL to open, and the `reference` by which the purchase's state is asked for.")
        .body(OnrampUrlQuestion::shape())
        .refuses([NO_PROVIDER, NOT_SOLD, FAILED, DATABASE.because(BUSY)]),
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
