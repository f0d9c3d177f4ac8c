//! `eth_sendTransaction`: completes the transaction from the chain, prompts the visitor, signs and sends.

import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  numberToHex,
  type TransactionSerializable
} from 'viem'
import { callIn, swapIn } from '../calls.ts'
import { invalidParams, ProviderRpcError, RPC_ERROR } from '../provider.ts'
import type { Tokens } from './approval/approval.ts'
import type { Method } from './hands.ts'
import * as params from './params.ts'
import { requirePermitted } from './sign-methods.ts'

const METHOD = 'eth_sendTransaction'

interface Wanted {
  readonly from: Address
  readonly to?: Address | undefined
  readonly value: bigint
  readonly data?: Hex | undefined
  readonly gas?: bigint | undefined
  readonly gasPrice?: bigint | undefined
  readonly maxFeePerGas?: bigint | undefined
  readonly maxPriorityFeePerGas?: bigint | undefined
  readonly nonce?: bigint | undefined
}

/** Sends a request to the node of the transaction's chain, even if the wallet switches its active chain meanwhile. */
export type Node = (method: string, params: readonly unknown[]) => Promise<unknown>

type Fees = { readonly gasPrice: bigint } | { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }

export const sendMethods: Record<string, Method> = {
  async [METHOD](hands, received) {
    const wanted = parseTransaction(params.list(received)[0], hands.state.chain.chainId)
    requirePermitted(hands, wanted.from)
    const { chain } = hands.state
    const node: Node = (method, nodeParams) => hands.forward(method, nodeParams, chain)
    const [cost, tokens] = await Promise.all([estimateCost(node, wanted), tokensOf(node, wanted)])
    const { from, to, value, data } = wanted
    await hands.ask(METHOD, { kind: 'send', account: from, to, value, data, tokens, network: chain.name, ...cost })
    return hands.inTurn(async () => {
      const raw = await hands.signer(from).signTransaction(await fill(node, wanted, chain.chainId))
      return node('eth_sendRawTransaction', [raw])
    })
  }
}

function parseTransaction(value: unknown, activeChain: number): Wanted {
  const sent = params.record(value, 'the transaction')
  const to = sent.to === undefined || sent.to === null ? undefined : params.address(sent.to, 'to')
  const data = params.optionalBytes(sent.data ?? sent.input, 'data')
  if (to === undefined && (data === undefined || data === '0x')) throw invalidParams('Expected a recipient or data.')
  const chainId = params.optionalQuantity(sent.chainId, 'chainId')
  if (chainId !== undefined && chainId !== BigInt(activeChain)) {
    throw invalidParams('Expected chainId to match the active chain.')
  }
  return {
    from: params.address(sent.from, 'from'),
    to,
    data,
    value: params.optionalQuantity(sent.value, 'value') ?? 0n,
    gas: params.optionalQuantity(sent.gas ?? sent.gasLimit, 'gas'),
    gasPrice: params.optionalQuantity(sent.gasPrice, 'gasPrice'),
    maxFeePerGas: params.optionalQuantity(sent.maxFeePerGas, 'maxFeePerGas'),
    maxPriorityFeePerGas: params.optionalQuantity(sent.maxPriorityFeePerGas, 'maxPriorityFeePerGas'),
    nonce: params.optionalQuantity(sent.nonce, 'nonce')
  }
}

/** Estimated fee and warning for the dialog. A transaction that the node expects to fail is still shown, with the node's reason. */
async function estimateCost(node: Node, wanted: Wanted): Promise<{ fee?: bigint; warning?: string }> {
  try {
    const [gas, fees, held] = await Promise.all([gasOf(node, wanted), feesOf(node, wanted), balanceOf(node, wanted)])
    const fee = gas * ('gasPrice' in fees ? fees.gasPrice : fees.maxFeePerGas)
    // Not every node checks the balance when it estimates gas.
    return held < wanted.value + fee ? { fee, warning: 'insufficient funds for the amount and the fee' } : { fee }
  } catch (error) {
    if (!(error instanceof ProviderRpcError) || error.code === RPC_ERROR.disconnected) throw error
    return { warning: error.message }
  }
}

/** Tokens whose amounts the call names, by their own contracts; without those that don't answer. */
async function tokensOf(node: Node, { to, data }: Wanted): Promise<Tokens> {
  const call = callIn(data)
  if (to === undefined || call === undefined) return {}
  const swap = swapIn(call)
  const named = call.args.some(({ name }) => name === 'amount') ? [to] : [swap?.pays.token, swap?.gets.token]
  const found = await Promise.all(named.map(async (token) => token && ([token, await describe(node, token)] as const)))
  return Object.fromEntries(found.filter((one) => one?.[1] !== undefined) as [Address, Tokens[Address]][])
}

async function describe(node: Node, to: Address): Promise<Tokens[Address] | undefined> {
  const read = async (data: Hex) => (await node('eth_call', [{ to, data }, 'latest'])) as Hex
  try {
    const [symbol, decimals] = await Promise.all([
      read(encodeFunctionData({ abi: erc20Abi, functionName: 'symbol' })),
      read(encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' }))
    ])
    return {
      symbol: decodeFunctionResult({ abi: erc20Abi, functionName: 'symbol', data: symbol }).slice(0, 12),
      decimals: decodeFunctionResult({ abi: erc20Abi, functionName: 'decimals', data: decimals })
    }
  } catch {
    return undefined
  }
}

async function fill(node: Node, wanted: Wanted, chainId: number): Promise<TransactionSerializable> {
  const [gas, fees, nonce] = await Promise.all([gasOf(node, wanted), feesOf(node, wanted), nonceOf(node, wanted)])
  const { to, value, data } = wanted
  const common = { chainId, nonce, gas, to, value, data }
  return 'gasPrice' in fees ? { type: 'legacy', ...common, ...fees } : { type: 'eip1559', ...common, ...fees }
}

async function gasOf(node: Node, { from, to, value, data, gas }: Wanted): Promise<bigint> {
  if (gas !== undefined) return gas
  const call = { from, ...(to && { to }), ...(data && { data }), value: numberToHex(value) }
  return quantity(await node('eth_estimateGas', [call]))
}

export async function feesOf(
  node: Node,
  wanted: Pick<Wanted, 'gasPrice' | 'maxFeePerGas' | 'maxPriorityFeePerGas'>
): Promise<Fees> {
  if (wanted.gasPrice !== undefined) return { gasPrice: wanted.gasPrice }
  const block = await node('eth_getBlockByNumber', ['latest', false])
  const base = (block as { baseFeePerGas?: unknown } | null)?.baseFeePerGas
  if (base === undefined) return { gasPrice: quantity(await node('eth_gasPrice', [])) }
  const maxPriorityFeePerGas = wanted.maxPriorityFeePerGas ?? quantity(await node('eth_maxPriorityFeePerGas', []))
  // Twice the base fee keeps the transaction valid through six full blocks.
  const maxFeePerGas = wanted.maxFeePerGas ?? quantity(base) * 2n + maxPriorityFeePerGas
  const tip = maxPriorityFeePerGas < maxFeePerGas ? maxPriorityFeePerGas : maxFeePerGas
  return { maxFeePerGas, maxPriorityFeePerGas: tip }
}

async function balanceOf(node: Node, { from }: Wanted): Promise<bigint> {
  return quantity(await node('eth_getBalance', [from, 'latest']))
}

export async function nonceOf(node: Node, { from, nonce }: Pick<Wanted, 'from' | 'nonce'>): Promise<number> {
  if (nonce !== undefined) return Number(nonce)
  // Right after mining, a node's pending count may be behind: its pool ignores the nonce that an EIP-7702 authorization used.
  const counts = ['latest', 'pending'].map(async (block) =>
    quantity(await node('eth_getTransactionCount', [from, block]))
  )
  return Math.max(...(await Promise.all(counts)).map(Number))
}

function quantity(value: unknown): bigint {
  if (typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value)) return BigInt(value)
  throw new ProviderRpcError(
    RPC_ERROR.internal,
    `The chain answered ${JSON.stringify(value)} where a quantity belongs.`
  )
}
