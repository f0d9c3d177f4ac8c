//! Answers a client's request from the cache, from an in-flight request for the same call, or from the nodes.

mod exchange;
mod flight;
mod no_result;
mod one;
mod parts;
mod said;
mod turns;

use super::answer::{Answer, compose};
use super::cache::{Found, Key, Life, life, shared_name, state_at};
use super::esplora::EsploraCall;
use super::method::{Passage, is_heavy, is_hedged};
use super::node::Class;
use super::question::{Item, Question, RpcCall};
use super::served::Served;
use crate::AppState;
use crate::guard::memory::Share;
use axum::body::Bytes;
use exchange::Exchange;
use flight::{Flight, FoundSeat};
use futures_util::future::{join_all, join3};
use portico_api::rpc::TIMEOUT_MILLIS;
use said::REFUSAL_LIMIT;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;
use turns::Turns;

pub(crate) use flight::Flights;
pub(super) use no_result::NoResult;
pub(super) use said::CallResult;

/// Time limit for all nodes together: clients give up after it (spec 9.16).
const LIMIT: Duration = Duration::from_millis(TIMEOUT_MILLIS);

/// Longest wait for a batch of another client, which may be slow because of its other calls.
const LONGEST_PATIENCE: Duration = Duration::from_secs(1);

/// Maximum number of calls of a batch that are looked up in the shared store.
const MOST_SHARED: usize = 32;

/// A call to send to a node.
struct NodeCall {
    method: Box<str>,
    params: Option<Bytes>,
    notification: bool,
    /// `None` if the result may not be shared with other clients.
    key: Option<Key>,
    life: Life,
    /// Key in the store that server processes share, if the result may be permanent.
    shared_name: Option<String>,
    /// The call as a Bitcoin node gets it; `None` on other chains.
    esplora: Option<EsploraCall>,
}

/// Strategy for trying nodes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Manner {
    /// The next node after a failure, and beside a slow one.
    Hedged,
    /// The next node after a failure or a timeout.
    InTurn,
    /// Like `InTurn`, but always in the same order, as only one node holds the call's state.
    Bound,
    /// No second node once the call may have been executed.
    Once,
}

/// Context in which a client's request is answered.
#[derive(Clone, Copy)]
pub(super) struct Asker<'a> {
    pub(super) state: &'a AppState,
    pub(super) served: &'a Arc<Served>,
    /// Request body, of which the calls are slices.
    pub(super) body: &'a Bytes,
    /// Memory reserved for the body.
    pub(super) room: &'a Arc<Share>,
    /// Whether to bypass the cache.
    pub(super) fresh: bool,
}

/// A call of a request; equal ones are merged.
struct Distinct<'q> {
    call: &'q RpcCall<'q>,
    key: Key,
    life: Life,
    uses: usize,
    from: From,
}

/// Whether a call may join a request that another client started.
#[derive(Clone, Copy, PartialEq)]
enum Joining {
    Allowed,
    Alone,
}

enum From {
    Nowhere,
    Kept(CallResult),
    /// Index of the in-flight request, and the place in it.
    Flight(usize, usize),
}

/// A request in flight with calls of this client's request.
struct Boarded {
    flight: Flight,
    /// Time limit of waiting for another client's request with further calls; `None` for any other.
    patience: Option<Duration>,
}

impl Boarded {
    /// Results of the calls; none after the time limit.
    fn landing(&self) -> impl Future<Output = Arc<Vec<CallResult>>> + use<> {
        let (flight, patience) = (self.flight.clone(), self.patience);
        async move {
            match patience {
                Some(patience) => timeout(patience, flight).await.unwrap_or_default(),
                None => flight.await,
            }
        }
    }
}

/// Results of all calls of a request.
pub(super) struct CallResults<'q> {
    /// Index into `distinct` for each entry of the request.
    places: Vec<Option<usize>>,
    distinct: Vec<Distinct<'q>>,
    landed: Vec<Arc<Vec<CallResult>>>,
    /// Results of the calls that were split, by their place.
    joined: HashMap<usize, CallResult>,
}

impl CallResults<'_> {
    /// `None` for an entry that is not a call, a call without a response, or an error too long to repeat.
    pub(super) fn at(&self, place: usize) -> Option<&CallResult> {
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
            // A long error is not repeated for each merged call.
            CallResult::Error(text) if distinct.uses > 1 && text.bytes().len() > REFUSAL_LIMIT => None,
            said => Some(said),
        }
    }

    fn lacks_memory(&self) -> bool {
        let lacks = |said: &CallResult| matches!(said, CallResult::NoResult(NoResult::ForLackOfMemory));
        // Not whatever landed: a request in flight may carry calls of others.
        (0..self.places.len()).any(|place| self.at(place).is_some_and(lacks)) || self.joined.values().any(lacks)
    }
}

impl Asker<'_> {
    /// The client's response. A single call without a result is an error; in a batch each such call has an error of its own.
    pub(super) async fn ask(&self, question: &Question<'_>) -> Result<Answer, NoResult> {
        let heard = self.hear(question).await;
        if heard.lacks_memory() {
            return Err(NoResult::ForLackOfMemory);
        }
        if !question.is_batch()
            && let Some(CallResult::NoResult(unanswered)) = heard.at(0)
        {
            return Err(*unanswered);
        }
        let share = self.room.memory().share();
        compose(question, &self.served.id, |place| heard.at(place), share).map_err(|_| NoResult::ForLackOfMemory)
    }

    /// Results of all calls.
    pub(super) async fn hear<'q>(&self, question: &'q Question<'q>) -> CallResults<'q> {
        let (places, mut distinct) = self.distinct(question);
        // A call with side effects keeps its batch together: all calls go to one node, in order. Bitcoin's nodes take no batches.
        let keeps = |call: &RpcCall<'_>| call.passage == Passage::Once && call.esplora.is_none();
        let once = distinct.iter().any(|distinct| keeps(distinct.call));
        if self.served.cache && !self.fresh && !once {
            self.look_up(&mut distinct).await;
        }
        let mut boarded = Vec::new();
        let own = self.board(&mut distinct, &mut boarded, once, Joining::Allowed);
        let of_own = join_all(boarded[own..].iter().map(Boarded::landing));
        let of_others = async {
            let landed = join_all(boarded[..own].iter().map(Boarded::landing)).await;
            let alone = boarded.len();
            if leave(&mut distinct, &boarded[..own], &landed) {
                self.board(&mut distinct, &mut boarded, once, Joining::Alone);
            }
            (landed, join_all(boarded[alone..].iter().map(Boarded::landing)).await)
        };
        let (of_own, (of_others, alone), joined) = join3(of_own, of_others, self.hear_parts(question)).await;
        CallResults { places, distinct, landed: [of_others, of_own, alone].concat(), joined }
    }

    /// Looks the calls up in the cache.
    async fn look_up(&self, distinct: &mut [Distinct<'_>]) {
        let (mut hits, mut stale, mut misses) = (0, 0, 0);
        for distinct in distinct.iter_mut().filter(|distinct| distinct.life != Life::None) {
            match self.state.proxy().cache.get(self.served, &distinct.key).await {
                Found::Result(text) => {
                    distinct.from = From::Kept(CallResult::Result(text.into()));
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

    /// Merges equal calls that may be repeated. Returns, for each entry of the request, its index among the distinct calls.
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
            let life = match &call.esplora {
                _ if !repeatable => Life::None,
                Some(esplora) => esplora.life(),
                None => life(self.served.id.namespace(), &call.method, call.params),
            };
            distinct.push(Distinct { call, key, life, uses: 1, from: From::Nowhere });
            Some(distinct.len() - 1)
        });
        (places.collect(), distinct)
    }

    /// Finds an in-flight request for each call that has no result yet, or starts one; adds them to `boarded`. Returns the place of the
    /// first that was started here.
    fn board(&self, distinct: &mut [Distinct<'_>], boarded: &mut Vec<Boarded>, once: bool, joining: Joining) -> usize {
        let mut groups: Vec<(Group, Vec<usize>)> = Vec::new();
        let mut sky = self.state.proxy().flights.look();
        for (place, one) in distinct.iter_mut().enumerate() {
            if !matches!(one.from, From::Nowhere) {
                continue;
            }
            let merges = joining == Joining::Allowed
                && !once
                && !self.fresh
                && one.call.passage == Passage::Repeatable
                && one.call.id.is_some();
            if let Some(FoundSeat { flight, place, shared }) = sky.find(&one.key).filter(|_| merges) {
                let number = boarded.iter().position(|boarded| boarded.flight.ptr_eq(&flight)).unwrap_or_else(|| {
                    let patience = shared.then(|| self.served.hedge_delay(Class::Heavy).min(LONGEST_PATIENCE));
                    boarded.push(Boarded { flight, patience });
                    boarded.len() - 1
                });
                one.from = From::Flight(number, place);
                self.served.counted().merged.increment(1);
                continue;
            }
            let group = self.group(one, once);
            match groups.iter_mut().find(|(known, _)| *known == group && one.call.esplora.is_none()) {
                Some((_, places)) => places.push(place),
                None => groups.push((group, vec![place])),
            }
        }
        let own = boarded.len();
        let turns = Turns::new();
        for (group, mut places) in groups {
            // Calls before notifications; the sort is stable.
            places.sort_by_key(|place| distinct[*place].call.id.is_none());
            let merges = !once && !self.fresh && group.manner != Manner::Bound;
            let exchange = self.exchange(&group, places.iter().map(|place| &distinct[*place]), once);
            let keys = exchange.calls.iter().filter(|_| merges).map(|call| call.key).collect();
            let flight = match exchange.calls.iter().any(|call| call.esplora.is_some()) {
                true => sky.start(keys, turns.clone().run(exchange)),
                false => sky.start(keys, exchange.run()),
            };
            boarded.push(Boarded { flight, patience: None });
            for (seat, place) in places.into_iter().enumerate() {
                distinct[place].from = From::Flight(boarded.len() - 1, seat);
            }
        }
        own
    }

    fn exchange<'d>(&self, group: &Group, calls: impl Iterator<Item = &'d Distinct<'d>>, once: bool) -> Exchange {
        let shares = self.served.cache && !self.fresh && self.state.shared().spans_processes();
        let call = |(place, distinct): (usize, &Distinct<'_>)| {
            let RpcCall { id, method, params, passage, esplora } = distinct.call;
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
                esplora: esplora.clone(),
            }
        };
        Exchange {
            state: self.state.clone(),
            served: self.served.clone(),
            calls: calls.enumerate().map(call).collect(),
            manner: group.manner,
            class: group.class,
            nodes: group.nodes,
            room: self.room.clone(),
        }
    }

    fn group(&self, distinct: &Distinct<'_>, once: bool) -> Group {
        let RpcCall { method, params, passage, .. } = distinct.call;
        let class = if is_heavy(method) { Class::Heavy } else { Class::Light };
        let manner = match passage {
            _ if once => Manner::Once,
            Passage::Once => Manner::Once,
            Passage::Bound => Manner::Bound,
            _ if is_hedged(method) => Manner::Hedged,
            _ => Manner::InTurn,
        };
        let past = state_at(self.served.id.namespace(), method, *params);
        let nodes = self.served.nodes_for(method, past);
        // A batch with a call that must be sent only once is sent as one group.
        if once {
            Group { manner, class: Class::Light, nodes: self.served.all_nodes() }
        } else {
            Group { manner, class, nodes }
        }
    }
}

/// Takes calls off the requests of other clients which failed for a reason that may be the client's: its shares, or its other calls.
/// Returns whether there are such calls.
fn leave(distinct: &mut [Distinct<'_>], boarded: &[Boarded], landed: &[Arc<Vec<CallResult>>]) -> bool {
    let mut left = false;
    for one in distinct {
        let From::Flight(number, seat) = one.from else { continue };
        let Some(landed) = landed.get(number) else { continue };
        let stays = match landed.get(seat) {
            Some(CallResult::Result(_)) => true,
            Some(CallResult::NoResult(NoResult::ForLackOfMemory | NoResult::ForLackOfSlots)) | None => false,
            Some(CallResult::Error(_) | CallResult::NoResult(_)) => boarded[number].patience.is_none(),
        };
        if !stays {
            one.from = From::Nowhere;
            left = true;
        }
    }
    left
}

/// Calls of equal groups may be sent in one body.
#[derive(PartialEq)]
struct Group {
    manner: Manner,
    class: Class,
    nodes: u64,
}
