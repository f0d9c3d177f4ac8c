//! Country and state of the visitor, by which providers sell. A guess of the server until the visitor chooses; the choice is stored.

use super::{Onramp, Reason, State};
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::http::Request;
use crate::signal::Signal;
use crate::storage::keys;
use portico_api::onramp::OnrampCountries;

/// Maximum number of countries, and of states per country; there are at most 250 countries.
const MOST: usize = 300;

/// A country, with a state if one was chosen.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Region {
    pub country: String,
    pub state: Option<String>,
}

/// A country with on-ramp providers.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Country {
    pub id: String,
    /// States to choose from; if there are any, one must be chosen.
    pub states: Vec<String>,
}

/// Validates the server's list of countries.
pub(super) fn countries(list: OnrampCountries) -> Vec<Country> {
    let mut found: Vec<Country> = Vec::new();
    for item in list.countries.into_iter().take(MOST) {
        let states = item.subdivisions.iter().take(MOST);
        if let Some(id) = country(Some(&item.id)).filter(|id| found.iter().all(|known| known.id != *id)) {
            found.push(Country { id, states: states.filter_map(|one| state(Some(one))).collect() });
        }
    }
    found
}

/// `DE`, `US-NY`.
fn read(text: &str) -> Option<Region> {
    let (of, part) = match text.split_once('-') {
        Some((of, part)) => (of, Some(state(Some(part))?)),
        None => (text, None),
    };
    Some(Region { country: country(Some(of))?, state: part })
}

/// Parses two letters of ISO 3166-1.
fn country(text: Option<&str>) -> Option<String> {
    text.filter(|text| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase())).map(String::from)
}

/// Parses up to three letters and digits of ISO 3166-2.
fn state(text: Option<&str>) -> Option<String> {
    let plain = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    text.filter(|text| (1..=3).contains(&text.len()) && text.bytes().all(plain)).map(String::from)
}

impl Onramp {
    /// Restores the stored choice of the visitor.
    pub(super) fn recall(&mut self) {
        if let Some(text) = self.kept.stored.take() {
            self.kept.place = read(&text);
        }
    }

    /// Country and state for requests to providers.
    pub(super) fn whereabouts(&self) -> (Option<String>, Option<String>) {
        match &self.kept.place {
            Some(Region { country, state }) => (Some(country.clone()), state.clone()),
            None => (None, None),
        }
    }

    /// Place that has to be chosen first: without it a provider only refuses.
    pub(super) fn missing(&self) -> Option<Signal> {
        match &self.kept.place {
            None => (!self.kept.countries.is_empty()).then_some(Signal::OnrampCountryWanted),
            Some(Region { state: None, .. }) => (!self.states().is_empty()).then_some(Signal::OnrampStateWanted),
            Some(_) => None,
        }
    }

    pub(super) fn ask_options(&mut self, cx: &mut Cx) {
        let Some((chain, _)) = &self.of else { return };
        let mut request = Request::get("/v1/onramp/options").with("chainId", &chain.to_string());
        match &self.kept.place {
            Some(Region { country, state }) => {
                request = request.with("country", country);
                if let Some(state) = state {
                    request = request.with("subdivision", state);
                }
            }
            None => request = request.with("timeZone", &cx.facts.time_zone),
        }
        self.listed += 1;
        self.offers = State::Loading;
        cx.http(request, Reason::Options(self.listed));
    }

    /// Sets the country that the server guessed, unless the visitor chose one.
    pub(super) fn placed(&mut self, told: Option<&str>) {
        let told = country(told);
        if let (None, Some(country)) = (&self.kept.place, told) {
            self.kept.place = Some(Region { country, state: None });
        }
    }

    pub(super) fn choose_country(&mut self, id: String, cx: &mut Cx) {
        let Some(country) = self.kept.countries.iter().find(|country| country.id == id) else { return };
        if country.states.is_empty() {
            return self.settle(Region { country: id, state: None }, cx);
        }
        self.kept.choosing = Some(id);
        cx.signal(Signal::OnrampStateWanted);
    }

    pub(super) fn choose_state(&mut self, id: String, cx: &mut Cx) {
        if let (true, Some(country)) = (self.states().contains(&id), self.asked_country()) {
            self.settle(Region { country: country.into(), state: Some(id) }, cx);
        }
    }

    /// Sets and stores the visitor's choice.
    fn settle(&mut self, place: Region, cx: &mut Cx) {
        let text = match &place.state {
            Some(state) => [&place.country, "-", state].concat(),
            None => place.country.clone(),
        };
        cx.order(Operation::WriteStorage { area: StorageArea::Local, key: keys::PLACE.into(), value: text });
        self.kept.choosing = None;
        self.kept.place = Some(place);
        (self.currencies, self.tokens) = (Vec::new(), Vec::new());
        self.picked(cx);
        self.ask_options(cx);
    }

    /// Country whose state has to be chosen.
    pub(super) fn asked_country(&self) -> Option<&str> {
        self.kept.choosing.as_deref().or(self.kept.place.as_ref().map(|place| place.country.as_str()))
    }

    /// States of that country.
    pub(super) fn states(&self) -> &[String] {
        let country = self.asked_country();
        let found = self.kept.countries.iter().find(|one| Some(one.id.as_str()) == country);
        found.map_or(&[], |country| &country.states)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use portico_json::{parse, read_sound};

    #[test]
    fn a_place_is_read_as_it_was_stored_and_nonsense_is_none() {
        let place = |country: &str, state: Option<&str>| {
            Some(Region { country: country.into(), state: state.map(String::from) })
        };
        assert_eq!(read("DE"), place("DE", None));
        assert_eq!(read("US-NY"), place("US", Some("NY")));
        assert_eq!(read("FR-75C"), place("FR", Some("75C")));
        for nonsense in ["", "D", "DEU", "de", "D1", "US-", "US-ABCD", "US-ny", "-NY", "<b>", "US-NY-1", "é"] {
            assert_eq!(read(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn of_a_list_of_countries_what_makes_no_sense_costs_only_itself() {
        let text = r#"{"countries":[null,7,{},{"id":"de","subdivisions":[],"providers":[]},{"id":"US","subdivisions":["NY",7,"new york","CA"],"providers":[]},{"id":"US","subdivisions":[],"providers":[]},{"id":"FR","subdivisions":{},"providers":[]},{"id":"DE","subdivisions":[],"providers":[]}]}"#;
        let mut skipped = 0;
        let list = read_sound(&parse(text).unwrap(), &mut skipped).unwrap();
        let found = countries(list);
        // Three that are no country, one subdivision, and the country whose subdivisions are no list.
        assert_eq!(skipped, 5);
        let brief: Vec<_> = found.iter().map(|one| (one.id.as_str(), one.states.join(","))).collect();
        assert_eq!(brief, [("US", "NY,CA".into()), ("DE", String::new())]);
        for none in ["null", "[]", "{}", r#"{"countries":7}"#] {
            assert!(read_sound::<OnrampCountries>(&parse(none).unwrap(), &mut 0).is_none(), "{none}");
        }
    }
}
