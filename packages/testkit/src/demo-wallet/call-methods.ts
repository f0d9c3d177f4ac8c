//! Atomic batches (EIP-5792). The account delegates to the code of Multicall3 (EIP-7702) and calls itself, so that each call comes from the
//! account. That code lets anyone call in the account's name: for test keys only.

import { type Address, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import { invalidParams, ProviderRpcError, RPC_ERROR } from '../provider.ts'
import { type Chain, hexChainId } from './chain.ts'
import type { Hands, Method } from './hands.ts'
import * as params from './params.ts'
import { feesOf, type Node, nonceOf } from './send-transaction.ts'
import { requirePermitted } from './sign-methods.ts'

const SEND = 'wallet_sendCalls'

/** Address of Multicall3, the same on every chain that has it. */
const CODE: Address = '0xca11bde05977b3631167028862be2a173976ca11'

const ABI = parseAbi([
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function aggregate3Value(Call3Value[] calls) payable'
])

/** Gas limit of every batch: not every chain can estimate a transaction with an authorization. */
const GAS = 3_000_000n

const HASH_LENGTH = 66

/** Error codes of EIP-5792. */
const CALLS_ERROR = { unsupportedCapability: 5700, unsupportedChain: 5710, unknownId: 5730 } as const

interface Call3 {
  readonly target: Address
  readonly allowFailure: false
  readonly value: bigint
  readonly callData: Hex
}

export const callMethods: Record<string, Method> = {
  async wallet_getCapabilities(hands, received) {
    const [account, wanted] = params.list(received)
    requirePermitted(hands, params.address(account, 'the account'))
    const asked = wanted === undefined ? undefined : params.list(wanted).map(params.chainId)
    const chains = hands.state.chains.filter(({ chainId }) => asked === undefined || asked.includes(chainId))
    const able = await Promise.all(chains.map((chain) => canBatch(hands, chain)))
    return Object.fromEntries(
      chains.map(({ chainId }, index) => [
        hexChainId(chainId),
        { atomic: { status: able[index] ? 'supported' : 'unsupported' } }
      ])
    )
  },

  async [SEND](hands, received) {
    const sent = params.record(params.list(received)[0], 'the calls')
    const chain = hands.state.findChain(params.chainId(sent.chainId))
    if (!chain) throw new ProviderRpcError(CALLS_ERROR.unsupportedChain, 'The wallet does not know this chain.')
    refuseUnknown(sent.capabilities)
    if (!(await canBatch(hands, chain))) {
      throw new ProviderRpcError(CALLS_ERROR.unsupportedChain, 'The wallet does not support batches on this chain.')
    }
    const [first] = hands.state.visible
    const from = sent.from === undefined ? params.address(first, 'from') : params.address(sent.from, 'from')
    requirePermitted(hands, from)
    const calls = params.list(sent.calls).map(parseCall)
    if (calls.length === 0) throw invalidParams('Expected at least one call.')
    const value = calls.reduce((sum, call) => sum + call.value, 0n)
    const data = encodeFunctionData({ abi: ABI, functionName: 'aggregate3Value', args: [calls] })
    await hands.ask(SEND, { kind: 'send', account: from, to: from, value, data, network: chain.name })
    return hands.inTurn(async () => ({ id: (await send(hands, chain, from, value, data)) + idOf(chain) }))
  },

  async wallet_getCallsStatus(hands, received) {
    const id = params.text(params.list(received)[0], 'the id')
    const hash = id.slice(0, HASH_LENGTH)
    const chain = hands.state.chains.find((chain) => id === hash + idOf(chain))
    const known = chain && (await hands.forward('eth_getTransactionByHash', [hash], chain))
    if (!chain || !known) throw new ProviderRpcError(CALLS_ERROR.unknownId, 'Unknown batch id.')
    const receipt = await hands.forward('eth_getTransactionReceipt', [hash], chain)
    const common = { version: '2.0.0', id, chainId: hexChainId(chain.chainId), atomic: true }
    if (receipt === null) return { ...common, status: 100 }
    const { status } = params.record(receipt, 'the receipt')
    return { ...common, status: status === '0x1' ? 200 : 500, receipts: [receipt] }
  }
}

/** Whether the chain has the Multicall3 code that a batch delegates to. */
async function canBatch({ forward }: Hands, chain: Chain): Promise<boolean> {
  const code = await forward('eth_getCode', [CODE, 'latest'], chain)
  return typeof code === 'string' && code.length > 2
}

/** Throws on an unknown capability unless the page marked it as optional. */
function refuseUnknown(capabilities: unknown): void {
  for (const [name, wanted] of Object.entries(params.record(capabilities ?? {}, 'the capabilities'))) {
    if (params.record(wanted, name).optional !== true) {
      throw new ProviderRpcError(CALLS_ERROR.unsupportedCapability, `The wallet does not support "${name}".`)
    }
  }
}

function parseCall(value: unknown): Call3 {
  const call = params.record(value, 'a call')
  return {
    target: params.address(call.to, 'to'),
    allowFailure: false,
    value: params.optionalQuantity(call.value, 'value') ?? 0n,
    callData: params.optionalBytes(call.data, 'data') ?? '0x'
  }
}

async function send(hands: Hands, chain: Chain, from: Address, value: bigint, data: Hex): Promise<string> {
  const node: Node = (method, nodeParams) => hands.forward(method, nodeParams, chain)
  const signer = hands.signer(from)
  const { chainId } = chain
  const [nonce, fees] = await Promise.all([nonceOf(node, { from }), feesOf(node, {})])
  if (!signer.signAuthorization || 'gasPrice' in fees) {
    throw new ProviderRpcError(RPC_ERROR.internal, 'The chain does not support EIP-7702.')
  }
  // The transaction increases the account's nonce before its authorization is checked.
  const authorization = await signer.signAuthorization({ contractAddress: CODE, chainId, nonce: nonce + 1 })
  const raw = await signer.signTransaction({
    type: 'eip7702',
    authorizationList: [authorization],
    ...{ chainId, nonce, to: from, value, data, gas: GAS, ...fees }
  })
  const hash = await node('eth_sendRawTransaction', [raw])
  return params.text(hash, 'the hash')
}

/** Chain id as 32 bytes of hex, the chain's part of a batch id. */
function idOf({ chainId }: Chain): string {
  return numberToHex(chainId, { size: 32 }).slice(2)
}
