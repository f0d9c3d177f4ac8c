//! `GET /v1/onramp/countries`: countries in which an on-ramp provider sells.

use super::{Fault, LIMIT, Seller, failure, routes::nobody};
use crate::error::json;
use crate::guard::project::Project;
use crate::{AppState, Failure};
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use futures_util::future::join_all;
use portico_api::onramp::{OnrampCountries, OnrampCountry};
use portico_json::{Value, to_text};
use std::time::Duration;
use tokio::time::timeout;

/// Lifetime of the cached list, as providers ask to cache it and to refresh it from time to time.
pub(super) const KEPT: Duration = Duration::from_secs(24 * 3600);

/// Maximum list length; there are about 250 countries, and none has more states.
const MOST: usize = 300;

/// Country with its states, from one provider.
pub(super) struct CountryListing {
    pub(super) country: String,
    pub(super) states: Vec<String>,
}

pub(super) async fn countries(State(state): State<AppState>, _project: Project) -> Result<Response, Failure> {
    let sellers = &state.onramp().sellers;
    let told = join_all(sellers.iter().map(|seller| asked(&state, seller))).await;
    let mut all: Vec<OnrampCountry> = Vec::new();
    let mut failed = None;
    let mut answered = false;
    for (seller, told) in sellers.iter().zip(told) {
        match told {
            Ok(places) => {
                answered = true;
                places.into_iter().for_each(|place| merge(&mut all, place, seller.word()));
            }
            Err(fault) => failed = failed.or(Some(failure(seller, fault))),
        }
    }
    if !answered {
        return Err(failed.unwrap_or_else(nobody));
    }
    all.sort_by(|one, other| one.id.cmp(&other.id));
    let mut response = json(StatusCode::OK, to_text(&OnrampCountries { countries: all }));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"));
    Ok(response)
}

async fn asked(state: &AppState, seller: &Seller) -> Result<Vec<CountryListing>, Fault> {
    timeout(LIMIT, seller.countries(state)).await.unwrap_or(Err(Fault::Unreachable))
}

fn merge(into: &mut Vec<OnrampCountry>, place: CountryListing, by: &str) {
    let known = into.iter().position(|known| known.id == place.country);
    let at = known.unwrap_or(into.len());
    if known.is_none() && at < MOST {
        into.push(OnrampCountry { id: place.country, ..OnrampCountry::default() });
    }
    let Some(country) = into.get_mut(at) else { return };
    country.subdivisions.extend(place.states);
    country.subdivisions.sort();
    country.subdivisions.dedup();
    if country.providers.iter().all(|known| known != by) {
        country.providers.push(by.into());
    }
}

/// ISO 3166-1 alpha-2 code.
pub(super) fn country(value: &Value) -> Option<String> {
    let fits = |text: &&str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase());
    value.as_str().filter(fits).map(str::to_owned)
}

/// State code, with or without its country in front: `US-NY`, `NY`.
pub(super) fn state_of(country: &str, value: &Value) -> Option<String> {
    let text = value.as_str()?;
    let text = text.strip_prefix(country).and_then(|rest| rest.strip_prefix('-')).unwrap_or(text);
    let fits =
        (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    fits.then(|| text.to_owned())
}

/// First entries of a list, up to [`MOST`].
pub(super) fn few(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_list().unwrap_or_default().iter().take(MOST)
}
