//! Cache lifetime of the result of a call.

use portico_terms::Namespace;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Event that makes the result of a call outdated.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(in crate::rpc) enum Life {
    /// Never cached.
    None,
    /// Valid until the next block.
    Block,
    /// Valid forever once this block is final; until then until the next block.
    Numbered(u64),
    /// Valid forever once the block named in the result is final; until then until the next block.
    Named,
    /// Valid forever.
    Ever,
}

/// Block that a call reads.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Block {
    Newest,
    Pending,
    Number(u64),
    /// Named by its hash, or the first block.
    Fixed,
}

/// Cache lifetime for a call of this namespace.
pub(in crate::rpc) fn life(namespace: Namespace, method: &str, params: Option<&RawValue>) -> Life {
    match namespace {
        Namespace::Eip155 => eip155(method, params),
        Namespace::Solana => solana(method, params),
        // The calls of Bitcoin say theirs themselves.
        Namespace::Polkadot | Namespace::Bip122 => Life::None,
    }
}

fn eip155(method: &str, params: Option<&RawValue>) -> Life {
    let place = match method {
        "eth_chainId"
        | "net_version"
        | "web3_sha3"
        | "eth_getBlockByHash"
        | "eth_getBlockTransactionCountByHash"
        | "eth_getTransactionByBlockHashAndIndex"
        | "eth_getUncleByBlockHashAndIndex"
        | "eth_getUncleCountByBlockHash" => return Life::Ever,
        "eth_getTransactionByHash" | "eth_getTransactionReceipt" => return Life::Named,
        "eth_blockNumber" | "eth_gasPrice" | "eth_maxPriorityFeePerGas" | "eth_blobBaseFee" => return Life::Block,
        "eth_getLogs" => return logs(params),
        "eth_getBlockByNumber"
        | "eth_getBlockReceipts"
        | "eth_getBlockTransactionCountByNumber"
        | "eth_getTransactionByBlockNumberAndIndex"
        | "eth_getUncleByBlockNumberAndIndex"
        | "eth_getUncleCountByBlockNumber" => 0,
        "eth_call" | "eth_getBalance" | "eth_getCode" | "eth_getTransactionCount" | "eth_feeHistory" => 1,
        "eth_getStorageAt" | "eth_getProof" => 2,
        _ => return Life::None,
    };
    block_of(params, place).map_or(Life::None, Block::life)
}

/// Reads of Solana hold for a slot; those of the transactions and blocks that no fork can undo hold for ever. A slot that is only processed may
/// be undone, so its reads are not cached.
fn solana(method: &str, params: Option<&RawValue>) -> Life {
    let last = match method {
        "getGenesisHash" => return Life::Ever,
        "getMinimumBalanceForRentExemption" | "getRecentPrioritizationFees" => return Life::Block,
        "getBlock" | "getTransaction" => Life::Ever,
        "getAccountInfo"
        | "getBalance"
        | "getBlockHeight"
        | "getEpochInfo"
        | "getFeeForMessage"
        | "getLatestBlockhash"
        | "getMultipleAccounts"
        | "getSlot"
        | "getTokenAccountBalance"
        | "getTokenAccountsByOwner" => Life::Block,
        _ => return Life::None,
    };
    match commitment(params) {
        Some(Commitment::Finalized) => last,
        Some(Commitment::Confirmed) => Life::Block,
        None => Life::None,
    }
}

/// Commitment of a call whose result may be cached (<https://solana.com/docs/rpc#configuring-state-commitment>).
enum Commitment {
    Confirmed,
    Finalized,
}

/// Commitment that a call names in the settings at the end of its parameters. Nodes take a missing one for `finalized`.
fn commitment(params: Option<&RawValue>) -> Option<Commitment> {
    #[derive(Default, Deserialize)]
    struct Settings<'a> {
        #[serde(borrow)]
        commitment: Option<Cow<'a, str>>,
    }
    let params: Vec<&RawValue> = match params {
        Some(params) => serde_json::from_str(params.get()).ok()?,
        None => Vec::new(),
    };
    let settings = params.last().filter(|last| last.get().starts_with('{'));
    let Settings { commitment } = match settings {
        Some(settings) => serde_json::from_str(settings.get()).ok()?,
        None => Settings::default(),
    };
    match commitment.as_deref() {
        Some("confirmed") => Some(Commitment::Confirmed),
        Some("finalized") | None => Some(Commitment::Finalized),
        Some(_) => None,
    }
}

/// Number of the past block whose state a call reads, which only some nodes have.
pub(in crate::rpc) fn state_at(namespace: Namespace, method: &str, params: Option<&RawValue>) -> Option<u64> {
    let place = match (namespace, method) {
        (Namespace::Eip155, "eth_call" | "eth_getBalance" | "eth_getCode" | "eth_getTransactionCount") => 1,
        (Namespace::Eip155, "eth_getStorageAt" | "eth_getProof") => 2,
        _ => return None,
    };
    match block_of(params, place)? {
        Block::Number(number) => Some(number),
        Block::Newest | Block::Pending | Block::Fixed => None,
    }
}

impl Block {
    fn life(self) -> Life {
        match self {
            Block::Newest => Life::Block,
            Block::Pending => Life::None,
            Block::Number(number) => Life::Numbered(number),
            Block::Fixed => Life::Ever,
        }
    }
}

fn block_of(params: Option<&RawValue>, place: usize) -> Option<Block> {
    let params: Vec<&RawValue> = match params {
        Some(params) => serde_json::from_str(params.get()).ok()?,
        None => Vec::new(),
    };
    match params.get(place) {
        Some(block) => read(block),
        // Nodes default to the newest block, except where the block is the first parameter.
        None if place > 0 => Some(Block::Newest),
        None => None,
    }
}

fn read(block: &RawValue) -> Option<Block> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Named<'a> {
        #[serde(borrow)]
        block_hash: Option<Cow<'a, str>>,
        #[serde(borrow)]
        block_number: Option<Cow<'a, str>>,
    }
    match block.get() {
        r#""latest""# | r#""safe""# | r#""finalized""# | "null" => Some(Block::Newest),
        r#""pending""# => Some(Block::Pending),
        r#""earliest""# => Some(Block::Fixed),
        text if text.starts_with('{') => match serde_json::from_str(text).ok()? {
            Named { block_hash: Some(_), block_number: None } => Some(Block::Fixed),
            Named { block_hash: None, block_number: Some(number) } => quantity(&number).map(Block::Number),
            Named { .. } => None,
        },
        text => {
            let text = text.strip_prefix('"')?.strip_suffix('"')?;
            // 32 bytes in hex are a block hash.
            if text.len() == 66 { Some(Block::Fixed) } else { quantity(text).map(Block::Number) }
        }
    }
}

fn logs(params: Option<&RawValue>) -> Life {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Filter<'a> {
        #[serde(borrow)]
        block_hash: Option<&'a RawValue>,
        #[serde(borrow)]
        from_block: Option<&'a RawValue>,
        #[serde(borrow)]
        to_block: Option<&'a RawValue>,
    }
    let filter = params.and_then(|params| serde_json::from_str::<[Filter<'_>; 1]>(params.get()).ok());
    let Some([filter]) = filter else { return Life::None };
    let ends = |block: Option<&RawValue>| block.map_or(Some(Block::Newest), read);
    match (filter.block_hash, ends(filter.from_block), ends(filter.to_block)) {
        (Some(_), ..) => Life::Ever,
        (None, Some(Block::Number(from)), Some(Block::Number(to))) => Life::Numbered(from.max(to)),
        (None, Some(Block::Fixed), Some(Block::Number(to))) => Life::Numbered(to),
        (None, Some(Block::Pending), _) | (None, _, Some(Block::Pending)) | (None, None, _) | (None, _, None) => {
            Life::None
        }
        (None, ..) => Life::Block,
    }
}

/// Parses a quantity of EIP-1474.
pub(in crate::rpc) fn quantity(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x")?;
    // `from_str_radix` would also accept a `+`.
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u64::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(method: &str, params: &str) -> Life {
        let params = RawValue::from_string(params.into()).unwrap();
        life(Namespace::Eip155, method, Some(&params))
    }

    #[test]
    fn what_no_block_changes_holds_for_ever() {
        let hash = format!("0x{}", "a".repeat(64));
        for (method, params) in [
            ("eth_chainId", "[]".to_owned()),
            ("net_version", "[]".into()),
            ("eth_getBlockByHash", format!(r#"["{hash}",false]"#)),
            ("eth_getBlockReceipts", format!(r#"["{hash}"]"#)),
            ("eth_call", format!(r#"[{{}},{{"blockHash":"{hash}"}}]"#)),
            ("eth_getBalance", r#"["0x1","earliest"]"#.into()),
            ("eth_getLogs", format!(r#"[{{"blockHash":"{hash}"}}]"#)),
        ] {
            assert_eq!(of(method, &params), Life::Ever, "{method}");
        }
    }

    #[test]
    fn a_numbered_block_holds_once_it_is_final() {
        for (method, params) in [
            ("eth_call", r#"[{"to":"0x1"},"0x10"]"#),
            ("eth_call", r#"[{"to":"0x1"},{"blockNumber":"0x10"},{}]"#),
            ("eth_getCode", r#"["0x1","0x10"]"#),
            ("eth_getBlockByNumber", r#"["0x10",true]"#),
            ("eth_getStorageAt", r#"["0x1","0x0","0x10"]"#),
            ("eth_getLogs", r#"[{"fromBlock":"0x1","toBlock":"0x10"}]"#),
            ("eth_getLogs", r#"[{"fromBlock":"earliest","toBlock":"0x10"}]"#),
        ] {
            assert_eq!(of(method, params), Life::Numbered(16), "{method} {params}");
        }
        assert_eq!(of("eth_getTransactionReceipt", r#"["0x1"]"#), Life::Named);
    }

    #[test]
    fn the_newest_block_holds_until_the_next() {
        for (method, params) in [
            ("eth_blockNumber", "[]"),
            ("eth_gasPrice", "[]"),
            ("eth_call", r#"[{"to":"0x1"}]"#),
            ("eth_call", r#"[{"to":"0x1"},"latest"]"#),
            ("eth_getBalance", r#"["0x1",null]"#),
            ("eth_getBlockByNumber", r#"["finalized",false]"#),
            ("eth_getLogs", r#"[{"fromBlock":"0x1"}]"#),
        ] {
            assert_eq!(of(method, params), Life::Block, "{method} {params}");
        }
    }

    #[test]
    fn reads_of_solana_hold_by_their_commitment() {
        let of = |method: &str, params: &str| {
            life(Namespace::Solana, method, Some(&RawValue::from_string(params.into()).unwrap()))
        };
        for (method, params, told) in [
            ("getGenesisHash", "[]", Life::Ever),
            ("getTransaction", r#"["sig"]"#, Life::Ever),
            ("getTransaction", r#"["sig",{"encoding":"jsonParsed","commitment":"finalized"}]"#, Life::Ever),
            ("getTransaction", r#"["sig",{"commitment":"confirmed"}]"#, Life::Block),
            ("getBlock", r#"[5,{"commitment":null}]"#, Life::Ever),
            ("getBalance", r#"["key"]"#, Life::Block),
            ("getBalance", r#"["key",{"commitment":"confirmed"}]"#, Life::Block),
            ("getBalance", r#"["key",{"commitment":"processed"}]"#, Life::None),
            ("getTokenAccountsByOwner", r#"["key",{"mint":"m"},{"commitment":"finalized"}]"#, Life::Block),
            ("getLatestBlockhash", r#"[{"commitment":"processed"}]"#, Life::None),
            ("getTransaction", r#"["sig",{"commitment":"recent"}]"#, Life::None),
            ("getTransaction", r#"["sig",{"commitment":5}]"#, Life::None),
            ("getBalance", r#"{"key":"k"}"#, Life::None),
            ("getSignatureStatuses", r#"[["sig"]]"#, Life::None),
            ("getSignaturesForAddress", r#"["key"]"#, Life::None),
            ("simulateTransaction", r#"["tx"]"#, Life::None),
            ("sendTransaction", r#"["tx"]"#, Life::None),
            ("isBlockhashValid", r#"["hash"]"#, Life::None),
        ] {
            assert_eq!(of(method, params), told, "{method} {params}");
        }
    }

    #[test]
    fn what_is_pending_written_wrongly_or_not_a_read_is_never_kept() {
        for (method, params) in [
            ("eth_getTransactionCount", r#"["0x1","pending"]"#),
            ("eth_call", r#"[{},"pending"]"#),
            ("eth_getLogs", r#"[{"toBlock":"pending"}]"#),
            ("eth_getLogs", "[]"),
            ("eth_getLogs", r#"["latest"]"#),
            ("eth_getBlockByNumber", "[]"),
            ("eth_getBlockByNumber", r#"{"block":"0x1"}"#),
            ("eth_call", r#"[{},"0x+1"]"#),
            ("eth_call", r#"[{},"newest"]"#),
            ("eth_call", r#"[{},5]"#),
            ("eth_call", r#"[{},{"blockHash":"0x1","blockNumber":"0x1"}]"#),
            ("eth_sendRawTransaction", r#"["0x1"]"#),
            ("eth_estimateGas", "[{}]"),
            ("eth_getFilterChanges", r#"["0x1"]"#),
            ("eth_syncing", "[]"),
        ] {
            assert_eq!(of(method, params), Life::None, "{method} {params}");
        }
    }
}
