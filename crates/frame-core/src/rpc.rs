//! Requests of the host to the wallet (spec 7.28): what passes, what needs an approval, what is refused.

use crate::account::{Account, fault_of};
use crate::decode::{self, Content};
use crate::effect::{Failure, Operation, RpcCall, SigningOrder};
use crate::frame::Frame;
use crate::message::{DEFAULT, Request, coded, payload};
use crate::methods::{NEEDS_APPROVAL, SAFE, UNSUPPORTED_READS, has};
use crate::network;
use crate::reason::Reason;
use crate::token::Named;
use portico_api::frame::{FrameFault, FrameRpc};
use portico_calldata::hex;
use portico_json::Value;
use portico_terms::rpc::result_of;
use portico_terms::{Amount, ChainId, Namespace};

/// Text of a method that is on no list (spec 8.36).
const NOT_ALLOWED: &str = "Requested RPC call is not allowed";

/// EIP-1193: not authorized, method not supported. JSON-RPC: invalid parameters. EIP-1474: limit exceeded, resource unavailable.
const UNAUTHORIZED: i64 = 4100;
const UNSUPPORTED: i64 = 4200;
const INVALID_PARAMS: i64 = -32602;
const LIMIT: i64 = -32005;
const PENDING: i64 = -32002;

/// Maximum number of reads that wait for a chain.
const MOST_READS: usize = 32;

pub fn invalid(message: &str) -> FrameFault {
    coded(INVALID_PARAMS, message)
}

impl Frame {
    pub(crate) fn rpc_request(&mut self, request: Request, value: &Value) {
        let call = match payload::<FrameRpc>(value) {
            Ok(call) => call,
            Err(fault) => return self.reply(request, Err(fault)),
        };
        let passes = has(SAFE, &call.method);
        if !passes && !has(NEEDS_APPROVAL, &call.method) {
            return self.reply(request, Err(coded(UNSUPPORTED, NOT_ALLOWED)));
        }
        if let Err(fault) = self.built(&call.method) {
            return self.reply(request, Err(fault));
        }
        let chain = match self.chain_of_call(&call) {
            Ok(chain) => chain,
            Err(fault) => return self.reply(request, Err(fault)),
        };
        match passes {
            true => self.pass(request, chain, call),
            false => self.ask_visitor(request, chain, call),
        }
    }

    /// Refuses what is on the lists of the contract and not built.
    fn built(&self, method: &str) -> Result<(), FrameFault> {
        let text = match method {
            _ if has(UNSUPPORTED_READS, method) => "Smart accounts aren't set up in this wallet",
            "wallet_sendCalls" => "Batches of calls aren't set up in this wallet",
            "eth_sendUserOperation" => "Smart accounts aren't set up in this wallet",
            "wallet_grantPermissions" | "wallet_revokePermissions" => "Permissions aren't set up in this wallet",
            _ => return Ok(()),
        };
        Err(coded(UNSUPPORTED, text))
    }

    fn chain_of_call(&self, call: &FrameRpc) -> Result<ChainId, FrameFault> {
        let is_solana = call.method.starts_with("solana_");
        let chain = match &call.chain_id {
            Some(chain) if !chain.is_null() => network::chosen(chain)?,
            _ if !is_solana || self.chain.namespace() == Namespace::Solana => self.chain.clone(),
            _ => network::solana().ok_or_else(|| invalid("Chain is not supported"))?,
        };
        let same = call.chain_namespace.as_deref().is_none_or(|namespace| namespace == chain.namespace().word());
        let fits = match is_solana {
            true => chain.namespace() == Namespace::Solana,
            false => chain.number().is_some(),
        };
        if same && fits { Ok(chain) } else { Err(invalid("Chain is not supported")) }
    }

    /// Spec 5.30: answered here, or by the chain.
    fn pass(&mut self, request: Request, chain: ChainId, call: FrameRpc) {
        let own = self.account.as_ref().and_then(|account| account.address_on(&chain));
        let known = match call.method.as_str() {
            "eth_chainId" => chain.number().map(|number| Value::Text(Amount::from(number).to_hex())),
            "eth_accounts" => Some(Value::List(own.into_iter().map(Value::from).collect())),
            // A plain account has no capabilities (EIP-5792).
            "wallet_getCapabilities" => Some(Value::Object(vec![])),
            _ => None,
        };
        if let Some(known) = known {
            return self.reply(request, Ok(known));
        }
        let params = match call.params {
            Value::Null => Value::List(vec![]),
            params @ Value::List(_) => params,
            _ => return self.reply(request, Err(invalid("Parameters have to be a list"))),
        };
        if self.reads == MOST_READS {
            return self.reply(request, Err(coded(LIMIT, "Too many requests are open")));
        }
        self.reads += 1;
        let calls = vec![RpcCall { method: call.method, params }];
        self.order(Operation::SendRpc { chain, calls }, Reason::Read { request });
    }

    pub(crate) fn chain_read(&mut self, request: Request, answer: Result<Value, Failure>) {
        self.reads = self.reads.saturating_sub(1);
        let reply = match answer {
            Err(failure) => Err(fault_of(failure)),
            Ok(list) => match list.as_list().and_then(<[Value]>::first).map(result_of) {
                Some(Ok(result)) => Ok(result.clone()),
                Some(Err(error)) => Err(coded(error.code, &error.message)),
                None => Err(coded(-32603, DEFAULT)),
            },
        };
        self.reply(request, reply);
    }

    /// Spec 5.31.
    fn ask_visitor(&mut self, request: Request, chain: ChainId, call: FrameRpc) {
        if self.approval.is_some() || self.waiting.is_some() {
            return self.reply(request, Err(coded(PENDING, "Another request is waiting for approval")));
        }
        if self.account.is_none() {
            return self.reply(request, Err(logged_out()));
        }
        self.read_site(request, chain, call);
    }

    /// Opens the approval of a request that the page may make.
    pub(crate) fn open(&mut self, request: Request, chain: &ChainId, call: &FrameRpc) {
        let own = self.account.as_ref().and_then(|account: &Account| account.address_on(chain)).map(String::from);
        let Some(address) = own else {
            return self.reply(request, Err(logged_out()));
        };
        let Some(number) = chain.number() else {
            return self.ask_on_solana(request, chain, address, call);
        };
        let params = call.params.as_list().unwrap_or_default();
        if call.method == "eth_sendTransaction" {
            return match self.draft(params, number, &address) {
                Ok(draft) => self.prepare(request, number, address, draft),
                Err(fault) => self.reply(request, Err(fault)),
            };
        }
        let read = match call.method.as_str() {
            "personal_sign" => self.message(params, number, address.clone()),
            "eth_signTypedData_v4" => typed(params, number, address.clone()),
            _ => Err(coded(UNSUPPORTED, NOT_ALLOWED)),
        };
        match read {
            Ok((content, order)) => self.open_approval(request, chain.clone(), address, content, order),
            Err(fault) => self.reply(request, Err(fault)),
        }
    }

    /// `personal_sign`: the message and the account. Some hosts send them the other way round, which the account tells.
    fn message(&self, params: &[Value], chain: u64, address: String) -> Result<(Content, SigningOrder), FrameFault> {
        let [first, second, ..] = params else { return Err(invalid("Message and account are missing")) };
        let (Some(first), Some(second)) = (first.as_str(), second.as_str()) else {
            return Err(invalid("Message and account have to be texts"));
        };
        let own = |text: &str| text.eq_ignore_ascii_case(&address);
        let message = match (own(second), own(first)) {
            (true, _) => first,
            (false, true) => second,
            (false, false) => return Err(not_own()),
        };
        let bytes = hex::bytes(message).unwrap_or_else(|| message.as_bytes().to_vec());
        let content = decode::message(&bytes, &self.boot.host, &address, chain);
        let message = hex::of(&bytes);
        Ok((content, SigningOrder::Message { address, message }))
    }

    /// Withdraws the request that waits; spec 8.37 is the answer to that request.
    pub(crate) fn rpc_abort(&mut self, request: Request) {
        self.decline();
        self.reply(request, Ok(Value::Null));
    }
}

fn logged_out() -> FrameFault {
    coded(UNAUTHORIZED, "Log in first")
}

pub fn not_own() -> FrameFault {
    coded(UNAUTHORIZED, "The account isn't one of this wallet")
}

/// `eth_signTypedData_v4`: the account and the data, as JSON text or as an object.
fn typed(params: &[Value], chain: u64, address: String) -> Result<(Content, SigningOrder), FrameFault> {
    let [own, data, ..] = params else { return Err(invalid("Account and data are missing")) };
    if !own.as_str().is_some_and(|own| own.eq_ignore_ascii_case(&address)) {
        return Err(not_own());
    }
    let parsed = match data {
        Value::Text(text) => portico_json::parse(text).ok(),
        data => Some(data.clone()),
    };
    let read =
        parsed.and_then(|data| Some((decode::typed(&data, chain, &Named::new())?, portico_json::to_text(&data))));
    let (content, data) = read.ok_or_else(|| invalid("The typed data aren't valid (EIP-712)"))?;
    Ok((content, SigningOrder::TypedData { address, data }))
}
