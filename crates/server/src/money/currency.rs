use portico_api::price::CURRENCIES;

/// Currency of prices: one of [`CURRENCIES`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Money(&'static str);

impl Money {
    /// Currency of the price sources.
    pub(crate) const USD: Money = Money("usd");

    /// Parses a currency, in any case.
    pub(crate) fn read(text: &str) -> Option<Money> {
        CURRENCIES.iter().find(|word| word.eq_ignore_ascii_case(text)).map(|word| Money(word))
    }

    /// Code, such as "usd".
    pub(crate) fn word(self) -> &'static str {
        self.0
    }
}
