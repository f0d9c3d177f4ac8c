//! From what a client asks to what it is told: from what is kept, from a question that is asked already, or from the nodes.

mod exchange;
mod flight;
mod one;
mod parts;
mod said;

use super::answer::{Answer, compose};
use super::cache::{Found, Key, Life, life, shared_name, state_at};
use super::method::{Passage, is_heavy, is_hedged};
use super::node::Class;
use super::question::{Item, Question, RpcCall};
use super::served::Served;
use crate::AppState;
use crate::guard::memory::Share;
use axum::body::Bytes;
use axum::http::StatusCode;
use exchange::Exchange;
use flight::Flight;
use futures_util::future::{join, join_all};
use portico_api::rpc::TIMEOUT_MILLIS;
use portico_terms::ChainId;
use said::REFUSAL_LIMIT;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

pub(crate) use flight::Flights;
pub(super) use said::Said;

/// All nodes together get this long: the client waits no longer (spec 9.16).
const LIMIT: Duration = Duration::from_millis(TIMEOUT_MILLIS);

/// So many calls of a batch are looked up among those that the nodes of an installation keep together.
const MOST_SHARED: usize = 32;

/// Why there is no answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Unanswered {
    /// Not within [`LIMIT`].
    InTime,
    /// Not by any node.
    ByAny,
    /// The node answered others of the batch.
    ThisCall,
    /// Here is no room for what the node says.
    ForLackOfMemory,
}

impl Unanswered {
    pub(super) fn status(self) -> StatusCode {
        match self {
            Unanswered::InTime => StatusCode::GATEWAY_TIMEOUT,
            Unanswered::ByAny | Unanswered::ThisCall | Unanswered::ForLackOfMemory => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    pub(super) fn sentence(self, chain: &ChainId) -> String {
        match self {
            Unanswered::InTime => format!("The chain {chain} did not answer within {} seconds", LIMIT.as_secs()),
            Unanswered::ByAny => format!("No node of the chain {chain} answers"),
            Unanswered::ThisCall => "The node did not answer this call".into(),
            Unanswered::ForLackOfMemory => format!("There is no room for the answer of the chain {chain}"),
        }
    }
}

/// A call on its way to a node.
struct NodeCall {
    method: Box<str>,
    params: Option<Bytes>,
    notification: bool,
    /// None where nobody else may have the answer.
    key: Option<Key>,
    life: Life,
    /// Under which the nodes of the installation keep it, if it may hold for ever.
    shared_name: Option<String>,
}

/// How nodes are asked.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Manner {
    /// The next where one fails, and beside one that is slow.
    Hedged,
    /// The next where one fails or keeps silent.
    InTurn,
    /// The same, always in the same order: what one knows another does not.
    Bound,
    /// No second that could do it again.
    Once,
}

/// Who asks what.
#[derive(Clone, Copy)]
pub(super) struct Asker<'a> {
    pub(super) state: &'a AppState,
    pub(super) served: &'a Arc<Served>,
    /// What the calls of the question are parts of.
    pub(super) body: &'a Bytes,
    /// The room that the body takes.
    pub(super) room: &'a Arc<Share>,
    /// Whether to pass over what is kept.
    pub(super) fresh: bool,
}

/// A call that differs from the others of its question.
struct Distinct<'q> {
    call: &'q RpcCall<'q>,
    key: Key,
    life: Life,
    uses: usize,
    from: From,
}

enum From {
    Nowhere,
    Kept(Said),
    /// The place within a flight.
    Flight(usize, usize),
}

/// What was said to each call of a question.
pub(super) struct Heard<'q> {
    /// For each place its call among those that differ.
    places: Vec<Option<usize>>,
    distinct: Vec<Distinct<'q>>,
    landed: Vec<Arc<Vec<Said>>>,
    /// What was said to those that were asked in parts, by their place.
    joined: HashMap<usize, Said>,
}

impl Heard<'_> {
    /// `None` where no call stands, where no answer is due, and where nobody answers.
    pub(super) fn at(&self, place: usize) -> Option<&Said> {
        if let Some(said) = self.joined.get(&place) {
            return Some(said);
        }
        let distinct = &self.distinct[self.places[place]?];
        let said = match &distinct.from {
            From::Kept(said) => said,
            From::Flight(flight, place) => self.landed.get(*flight)?.get(*place)?,
            From::Nowhere => return None,
        };
        match said {
            // A long error is not repeated for each of its calls.
            Said::Error(text) if distinct.uses > 1 && text.bytes().len() > REFUSAL_LIMIT => None,
            said => Some(said),
        }
    }

    fn lacks_memory(&self) -> bool {
        let lacks = |said: &Said| matches!(said, Said::Unanswered(Unanswered::ForLackOfMemory));
        self.landed.iter().any(|said| said.iter().any(lacks)) || self.joined.values().any(lacks)
    }
}

impl Asker<'_> {
    /// The client's answer. A single call without one is an error; those of a batch have an error each.
    pub(super) async fn ask(&self, question: &Question<'_>) -> Result<Answer, Unanswered> {
        let heard = self.hear(question).await;
        if heard.lacks_memory() {
            return Err(Unanswered::ForLackOfMemory);
        }
        if !question.is_batch()
            && let Some(Said::Unanswered(unanswered)) = heard.at(0)
        {
            return Err(*unanswered);
        }
        let share = self.state.memory().share();
        compose(question, &self.served.id, |place| heard.at(place), share).map_err(|_| Unanswered::ForLackOfMemory)
    }

    /// What is said to each call.
    pub(super) async fn hear<'q>(&self, question: &'q Question<'q>) -> Heard<'q> {
        let (places, mut distinct) = self.distinct(question);
        let once = distinct.iter().any(|distinct| distinct.call.passage == Passage::Once);
        // What does something is not told apart from what is asked with it: all of it goes to the node, in its order.
        if self.served.cache && !self.fresh && !once {
            self.look_up(&mut distinct).await;
        }
        let flights = self.board(&mut distinct, once);
        let (landed, joined) = join(join_all(flights), self.hear_parts(question)).await;
        Heard { places, distinct, landed, joined }
    }

    /// Finds what is kept of each call.
    async fn look_up(&self, distinct: &mut [Distinct<'_>]) {
        let (mut hits, mut stale, mut misses) = (0, 0, 0);
        for distinct in distinct.iter_mut().filter(|distinct| distinct.life != Life::None) {
            match self.state.proxy().cache.get(self.served, &distinct.key).await {
                Found::Result(text) => {
                    distinct.from = From::Kept(Said::Result(text.into()));
                    hits += 1;
                }
                Found::Stale => stale += 1,
                Found::Nothing => misses += 1,
            }
        }
        let counted = self.served.counted();
        counted.hits.increment(hits);
        counted.stale.increment(stale);
        counted.misses.increment(misses);
    }

    /// For each place of the question its call among those that differ. Equal calls are one, where it does not matter how often they
    /// are made.
    fn distinct<'q>(&self, question: &'q Question<'q>) -> (Vec<Option<usize>>, Vec<Distinct<'q>>) {
        let mut found: HashMap<Key, usize> = HashMap::new();
        let mut distinct: Vec<Distinct<'q>> = Vec::new();
        let places = question.items().iter().map(|item| {
            let Item::Call(call) = item else { return None };
            let params = call.params.map(|params| params.get());
            let key = self.state.proxy().cache.key(&self.served.id, &call.method, params);
            let repeatable = call.passage == Passage::Repeatable && call.id.is_some();
            if let Some(same) = found.get(&key).filter(|_| repeatable) {
                distinct[*same].uses += 1;
                self.served.counted().merged.increment(1);
                return Some(*same);
            }
            if repeatable && question.is_batch() {
                found.insert(key, distinct.len());
            }
            let life =
                if repeatable { life(self.served.id.namespace(), &call.method, call.params) } else { Life::None };
            distinct.push(Distinct { call, key, life, uses: 1, from: From::Nowhere });
            Some(distinct.len() - 1)
        });
        (places.collect(), distinct)
    }

    /// Finds a flight for each call that nothing is kept of: one that is under way, or a new one.
    fn board(&self, distinct: &mut [Distinct<'_>], once: bool) -> Vec<Flight> {
        let mut boarded: Vec<Flight> = Vec::new();
        let mut groups: Vec<(Group, Vec<usize>)> = Vec::new();
        let mut sky = self.state.proxy().flights.look();
        for (place, one) in distinct.iter_mut().enumerate() {
            if matches!(one.from, From::Kept(_)) {
                continue;
            }
            let merges = !once && !self.fresh && one.call.passage == Passage::Repeatable && one.call.id.is_some();
            if let Some((flight, seat)) = sky.find(&one.key).filter(|_| merges) {
                let number = boarded.iter().position(|boarded| boarded.ptr_eq(&flight)).unwrap_or_else(|| {
                    boarded.push(flight);
                    boarded.len() - 1
                });
                one.from = From::Flight(number, seat);
                self.served.counted().merged.increment(1);
                continue;
            }
            let group = self.group(one, once);
            match groups.iter_mut().find(|(known, _)| *known == group) {
                Some((_, places)) => places.push(place),
                None => groups.push((group, vec![place])),
            }
        }
        for (group, mut places) in groups {
            // The others first, in their order.
            places.sort_by_key(|place| distinct[*place].call.id.is_none());
            let merges = !once && !self.fresh && group.manner != Manner::Bound;
            let exchange = self.exchange(&group, places.iter().map(|place| &distinct[*place]), once);
            let keys = exchange.calls.iter().filter(|_| merges).map(|call| call.key).collect();
            boarded.push(sky.start(keys, exchange.run()));
            for (seat, place) in places.into_iter().enumerate() {
                distinct[place].from = From::Flight(boarded.len() - 1, seat);
            }
        }
        boarded
    }

    fn exchange<'d>(&self, group: &Group, calls: impl Iterator<Item = &'d Distinct<'d>>, once: bool) -> Exchange {
        let shares = self.served.cache && !self.fresh && self.state.shared().spans_processes();
        let call = |(place, distinct): (usize, &Distinct<'_>)| {
            let RpcCall { id, method, params, passage } = distinct.call;
            let known = *passage == Passage::Repeatable && id.is_some() && !once;
            let lasts = matches!(distinct.life, Life::Ever | Life::Named | Life::Numbered(_));
            let name = || shared_name(&self.served.id, method, params.map(|params| params.get()));
            NodeCall {
                method: method.as_ref().into(),
                params: params.map(|params| self.body.slice_ref(params.get().as_bytes())),
                notification: id.is_none(),
                key: known.then_some(distinct.key),
                life: distinct.life,
                shared_name: (shares && known && lasts && place < MOST_SHARED).then(name),
            }
        };
        Exchange {
            state: self.state.clone(),
            served: self.served.clone(),
            calls: calls.enumerate().map(call).collect(),
            manner: group.manner,
            class: group.class,
            nodes: group.nodes,
            _room: self.room.clone(),
        }
    }

    fn group(&self, distinct: &Distinct<'_>, once: bool) -> Group {
        let RpcCall { method, params, passage, .. } = distinct.call;
        let class = if is_heavy(method) { Class::Heavy } else { Class::Light };
        let manner = match passage {
            _ if once => Manner::Once,
            Passage::Bound => Manner::Bound,
            _ if is_hedged(method) => Manner::Hedged,
            _ => Manner::InTurn,
        };
        let past = state_at(self.served.id.namespace(), method, *params);
        let nodes = self.served.nodes_for(method, past);
        // What goes together once goes together whatever it is.
        if once {
            Group { manner, class: Class::Light, nodes: self.served.all_nodes() }
        } else {
            Group { manner, class, nodes }
        }
    }
}

/// What may be asked in one body.
#[derive(PartialEq)]
struct Group {
    manner: Manner,
    class: Class,
    nodes: u64,
}
