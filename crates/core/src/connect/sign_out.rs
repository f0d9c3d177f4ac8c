//! Sessions of the site that end with their accounts. The site may not be asked now: its code is not loaded, or its server not reached. So each is
//! kept in storage until the site has confirmed its end, or the account signs in anew, and the next page asks again.

use super::{Connect, Reason};
use crate::cx::Cx;
use crate::effect::{Operation, SignInCall, StorageArea};
use crate::storage::{self, keys};
use portico_json::Value;
use portico_terms::rpc::RpcError;
use portico_terms::{AccountId, ChainId};

/// Maximum number of sessions that are to end; beyond it the oldest is forgotten.
pub const MOST: usize = 16;

/// Time for which the site is asked again, in milliseconds: 30 days. Sessions end by themselves, too.
pub const LONGEST: u64 = 30 * 86_400_000;

/// Sessions whose end the site has not confirmed.
#[derive(Debug, Default)]
pub(super) struct SignOuts {
    /// Those of earlier pages and other tabs, before they are read: the storage key after its prefix, and the text.
    pub stored: Vec<(String, String)>,
    /// Time of the end in epoch milliseconds, and storage key.
    open: Vec<(u64, String)>,
}

impl Connect {
    /// Asks again for the ends of sessions that earlier pages could not deliver. Stored values are untrusted.
    pub(super) fn resume_sign_outs(&mut self, cx: &mut Cx) {
        for (name, text) in std::mem::take(&mut self.sign_outs.stored) {
            let key = [keys::SIGN_OUT, &name].concat();
            match read(&text).filter(|(since, _)| cx.now.abs_diff(*since) < LONGEST) {
                Some((since, account)) => self.ask_to_end(since, key, account.chain(), account.address(), cx),
                None => forget(key, cx),
            }
        }
    }

    /// Ends the site's sessions of accounts that were just disconnected. Those that the sign-in knows, it ends by itself; it does not know those
    /// of earlier pages whose account was not active since, nor any before its code is loaded. The next connection would count as signed in.
    pub fn sign_out(&mut self, is_known: impl Fn(&ChainId, &str) -> bool, cx: &mut Cx) {
        for account in std::mem::take(&mut self.release.gone) {
            let chain = cx.facts.chains.iter().find(|chain| chain.namespace() == account.namespace);
            if let Some(chain) = chain.filter(|chain| !is_known(chain, &account.address)).cloned() {
                self.end_session(&chain, &account.address, cx);
            }
        }
    }

    /// The site's session of an account on a chain ends, unless the site keeps it.
    pub fn end_session(&mut self, chain: &ChainId, address: &str, cx: &mut Cx) {
        let options = &cx.facts.options;
        if !options.signs_out || !options.signs_in(chain.namespace()) {
            return;
        }
        let key = storage::sign_out(options.siwe, chain, address);
        storage::keep(key.clone(), [&cx.now.to_string(), " ", &chain.to_string(), ":", address].concat(), cx);
        self.ask_to_end(cx.now, key, chain, address, cx);
    }

    /// The site answered. One that fails is asked again by the next page.
    pub(super) fn signed_out(&mut self, key: String, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        if answer.is_ok() {
            self.sign_outs.open.retain(|(_, open)| *open != key);
            forget(key, cx);
        }
    }

    fn ask_to_end(&mut self, since: u64, key: String, chain: &ChainId, address: &str, cx: &mut Cx) {
        let open = &mut self.sign_outs.open;
        open.retain(|(_, known)| *known != key);
        if open.len() == MOST {
            let oldest = (0..MOST).min_by_key(|place| open[*place].0).unwrap_or_default();
            forget(open.swap_remove(oldest).1, cx);
        }
        open.push((since, key.clone()));
        // Another page of this origin may have the sign-in that this one lacks.
        if cx.facts.options.signs_in(chain.namespace()) {
            let given = Value::Object(SignInCall::subject(chain, address));
            cx.ask(Operation::AskSignIn { call: SignInCall::RevokeSession, given }, Reason::SignedOut(key));
        }
    }
}

/// Time and account of a stored one.
fn read(text: &str) -> Option<(u64, AccountId)> {
    let (since, account) = text.split_once(' ')?;
    since.parse().ok().zip(account.parse().ok())
}

fn forget(key: String, cx: &mut Cx) {
    cx.order(Operation::RemoveStorage { area: StorageArea::Local, key });
}
