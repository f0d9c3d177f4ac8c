//! What a feature can do for the loop, and how the code of a part is reached.

use crate::app::{Features, SentViews};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::modal::View;
use crate::part::Part;
use crate::storage::Stored;
use portico_json::{Read, Value};
use portico_terms::rpc::RpcError;
use std::marker::PhantomData;

/// A feature of the table (`table.rs`), implemented by its state in `<feature>/feature.rs`. The functions get all features, because some views and
/// rules need the account's holdings beside the state of the feature itself; a rule between two features belongs in `reactions.rs`.
pub(crate) trait Feature: Default {
    /// Input from outside; [`Never`] for a feature without events.
    type Event;
    /// Tag of an effect in flight.
    type Reason;
    /// Named time.
    type Alarm;

    /// The state at the start, with the values that earlier pages stored.
    fn restored(_: &Stored) -> Self {
        Self::default()
    }

    /// An event of the feature.
    fn update(_: &mut Features, _: Self::Event, _: &mut Cx) {}

    /// The answer to one of its effects or chain reads.
    fn answered(_: &mut Features, _: Self::Reason, _: Result<Value, RpcError>, _: &mut Cx) {}

    /// One of its alarms rang.
    fn alarm(_: &mut Features, _: Self::Alarm, _: &mut Cx) {}

    /// The modal is open and an account connected, or one of the two or the view has just changed. For features of home alone.
    fn shown(_: &mut Features, _: &mut Cx) {}

    /// The visitor left a view. A part hears of its own views alone.
    fn left(_: &mut Features, _: View, _: &mut Cx) {}

    /// Connections are gone: input of the visitor is void.
    fn reset(_: &mut Features, _: &mut Cx) {}

    /// Another account or network is active: input of the visitor is void.
    fn moved(features: &mut Features, cx: &mut Cx) {
        Self::reset(features, cx);
    }

    /// Writes the views that changed since the shell last got them.
    fn view(_: &mut Features, _: &Facts, _: &mut SentViews, _: &mut String) {}
}

/// A feature with a part of its own.
pub(crate) trait PartFeature: Feature<Event: Read> {
    /// Its part.
    const PART: Part;

    /// Its form is shown. Arguments and ticket come from a call of the host; the form of a part for which
    /// [`Part::takes_arguments`] is false gets none.
    fn asked(features: &mut Features, arguments: &Value, ticket: Option<u32>, cx: &mut Cx);

    /// Whether an earlier page of this browser stored work that has to go on.
    fn is_to_resume(_: &Features) -> bool {
        false
    }

    /// That work goes on.
    fn resume(_: &mut Features, _: &mut Cx) {}
}

/// Absence of events, reasons or alarms.
pub(crate) enum Never {}

/// Access to the code of a part that is loaded. Its methods are the entries of the part: never inlined, because the build splits the module at
/// functions of this type, which it finds by name (`crates/xtask/src/split.rs`). Entries of one part alone stand in `<feature>/feature.rs`.
pub(crate) struct Entry<'a, F> {
    pub(crate) features: &'a mut Features,
    feature: PhantomData<F>,
}

impl Features {
    /// The entries of a part, once it is loaded.
    pub fn part<F: PartFeature>(&mut self) -> Option<Entry<'_, F>> {
        self.own.here.open(F::PART).then_some(Entry { features: self, feature: PhantomData })
    }
}

impl<F: PartFeature> Entry<'_, F> {
    #[inline(never)]
    pub fn update(self, event: F::Event, cx: &mut Cx) {
        F::update(self.features, event, cx);
    }

    /// An event as JSON: the types of a part's events are read in the part.
    #[inline(never)]
    pub fn read(self, event: &Value, cx: &mut Cx) {
        if let Ok(event) = F::Event::read(event) {
            F::update(self.features, event, cx);
        }
    }

    #[inline(never)]
    pub fn answered(self, reason: F::Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        F::answered(self.features, reason, answer, cx);
    }

    #[inline(never)]
    pub fn alarm(self, alarm: F::Alarm, cx: &mut Cx) {
        F::alarm(self.features, alarm, cx);
    }

    #[inline(never)]
    pub fn asked(self, arguments: &Value, ticket: Option<u32>, cx: &mut Cx) {
        F::asked(self.features, arguments, ticket, cx);
    }

    #[inline(never)]
    pub fn resume(self, cx: &mut Cx) {
        F::resume(self.features, cx);
    }

    #[inline(never)]
    pub fn left(self, view: View, cx: &mut Cx) {
        F::left(self.features, view, cx);
    }

    #[inline(never)]
    pub fn reset(self, cx: &mut Cx) {
        F::reset(self.features, cx);
    }

    #[inline(never)]
    pub fn moved(self, cx: &mut Cx) {
        F::moved(self.features, cx);
    }

    #[inline(never)]
    pub fn view(self, facts: &Facts, sent: &mut SentViews, out: &mut String) {
        F::view(self.features, facts, sent, out);
    }
}
