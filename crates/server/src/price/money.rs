use portico_api::price::CURRENCIES;

/// What prices are told in: one of [`CURRENCIES`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Money(&'static str);

impl Money {
    /// What prices are known in.
    pub(crate) const USD: Money = Money("usd");

    /// One by its word, in any case.
    pub(crate) fn read(text: &str) -> Option<Money> {
        CURRENCIES.iter().find(|word| word.eq_ignore_ascii_case(text)).map(|word| Money(word))
    }

    /// "usd"
    pub(crate) fn word(self) -> &'static str {
        self.0
    }
}
