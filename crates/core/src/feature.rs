//! Interface between the loop and a feature, and access to the code of parts.

use crate::app::{Features, SentViews};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::modal::View;
use crate::part::Part;
use crate::storage::Stored;
use portico_json::{Read, Value};
use portico_terms::rpc::RpcError;
use std::marker::PhantomData;

/// Answer to an effect or a chain read.
pub(crate) type Answer = Result<Value, RpcError>;

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

    /// Handles an event of the feature; for [`Never`] it is `match event {}`.
    fn update(features: &mut Features, event: Self::Event, cx: &mut Cx);

    /// Handles the answer to one of the feature's effects or chain reads.
    fn answered(features: &mut Features, reason: Self::Reason, answer: Answer, cx: &mut Cx);

    /// Handles an alarm of the feature that rang.
    fn alarm(features: &mut Features, alarm: Self::Alarm, cx: &mut Cx);

    /// Called while the modal is open and an account is connected, after either of them or the view changed. Only for features of home.
    fn shown(_: &mut Features, _: &mut Cx) {}

    /// Called when the visitor left a view; in a part only for the part's own views.
    fn left(_: &mut Features, _: View, _: &mut Cx) {}

    /// Called after a disconnection: clears the visitor's input.
    fn reset(_: &mut Features, _: &mut Cx) {}

    /// Called when another account or network became active: clears the visitor's input.
    fn moved(features: &mut Features, cx: &mut Cx) {
        Self::reset(features, cx);
    }

    /// Writes the views that changed since they were last sent to the shell.
    fn view(_: &mut Features, _: &Facts, _: &mut SentViews, _: &mut String) {}
}

/// Feature whose code is a part of its own.
pub(crate) trait PartFeature: Feature<Event: Read> {
    const PART: Part;

    /// Called when the form of the part is shown. Arguments and ticket come from a call of the host; there are none if
    /// [`Part::takes_arguments`] is false.
    fn asked(features: &mut Features, arguments: &Value, ticket: Option<u32>, cx: &mut Cx);

    /// Whether an earlier page of this browser stored unfinished work, such as a pending transaction.
    fn is_to_resume(_: &Stored) -> bool {
        false
    }

    /// Continues the unfinished work of an earlier page.
    fn resume(_: &mut Features, _: &mut Cx) {}
}

/// Type without values, for features without events, reasons or alarms.
pub(crate) enum Never {}

/// Access to the code of a loaded part. Its methods are the entries of the part: never inlined, because the build splits the module at
/// functions of this type, which it finds by name (`crates/xtask/src/split.rs`). Entries of a single part are in `<feature>/feature.rs`.
pub(crate) struct Entry<'a, F> {
    pub(crate) features: &'a mut Features,
    feature: PhantomData<F>,
}

impl Features {
    /// Entries of a part; `None` until it is loaded.
    pub fn part<F: PartFeature>(&mut self) -> Option<Entry<'_, F>> {
        self.own.here.open(F::PART).then_some(Entry { features: self, feature: PhantomData })
    }
}

impl<F: PartFeature> Entry<'_, F> {
    #[inline(never)]
    pub fn update(self, event: F::Event, cx: &mut Cx) {
        F::update(self.features, event, cx);
    }

    /// Parses and handles an event given as JSON: events of a part are parsed in the part. Invalid ones are ignored.
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
