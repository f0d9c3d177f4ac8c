//! `eth_sendTransaction`: missing fields are queried from the network; then the transaction is shown, signed and sent.

import { callIn as readCall } from '@portico/testkit'
import {
  BaseError,
  createPublicClient,
  type Hex,
  hexToBigInt,
  http,
  isHex,
  keccak256,
  maxUint256,
  RpcRequestError
} from 'viem'
import { ethereumSigner } from './accounts.ts'
import { amount, atMost } from './amount.ts'
import { type Ask, CODES, type Cost, invalid, Refusal } from './ask.ts'
import type { Network } from './networks.ts'
import { permitted, type Situation } from './situation.ts'
import { oneLine } from './text.ts'
import type { Branch } from './typed-data.ts'

interface Wanted {
  readonly from: Hex
  readonly to: Hex | undefined
  readonly value: bigint
  readonly data: Hex | undefined
  readonly gas: bigint | undefined
}

export function sendTransaction(sent: Readonly<Record<string, unknown>>, at: Situation): Ask {
  const { network } = at
  const account = permitted(sent.from, at)
  const wanted = parse(sent, account.address as Hex)
  if (sent.chainId !== undefined && quantity(sent.chainId, 'chainId') !== BigInt(network.id.split(':')[1] ?? '')) {
    throw new Refusal(CODES.invalidParams, `The transaction is for another network than ${network.name}.`)
  }
  const call = callIn(wanted.data)
  return {
    title: wanted.to ? 'Send a transaction' : 'Create a contract',
    network,
    account,
    body: {
      type: 'transaction',
      to: wanted.to ?? null,
      value: coins(network, amount(wanted.value, network.coin.decimals)),
      call: call?.branch ?? null,
      data: wanted.data ?? '0x',
      cost: () => costOf(network, wanted)
    },
    warnings: call?.warning ? [call.warning] : [],
    verb: 'Send',
    perform: (begins) => send(network, wanted, begins)
  }
}

const coins = (network: Network, digits: string) => `${digits} ${network.coin.symbol}`

function parse(sent: Readonly<Record<string, unknown>>, from: Hex): Wanted {
  const to = sent.to ?? undefined
  if (to !== undefined && !(isHex(to) && to.length === 42)) throw invalid('to be an address in `to`')
  const data = sent.data ?? sent.input ?? undefined
  if (data !== undefined && !(isHex(data) && data.length % 2 === 0)) throw invalid('data to be hexadecimal bytes')
  if (to === undefined && (data === undefined || data === '0x')) throw invalid('a receiver or data')
  const gas = sent.gas ?? sent.gasLimit
  return {
    from,
    to,
    data,
    value: sent.value === undefined ? 0n : quantity(sent.value, 'value'),
    gas: gas === undefined ? undefined : quantity(gas, 'gas')
  }
}

function quantity(value: unknown, what: string): bigint {
  // Some pages send a CAIP-2 text instead of a quantity; it is rejected.
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  if (!isHex(value) || value === '0x' || value.length > 66) throw invalid(`${what} to be a hexadecimal quantity`)
  return hexToBigInt(value)
}

/** Call that the wallet can read; null for other calldata, which is shown as bytes. */
function callIn(data: Hex | undefined): { branch: Branch; warning: string | null } | null {
  const call = readCall(data)
  if (call === undefined) return null
  const fields = call.args.map(({ name, type, value }) => ({ name: oneLine(name), type, value: oneLine(value) }))
  const spender = call.name === 'approve' ? call.values[1] : undefined
  const warning =
    spender === undefined || spender === 0n
      ? null
      : spender === maxUint256
        ? 'This lets the spender take all your coins of this kind, now and later.'
        : 'This lets the spender take your coins later, up to this amount.'
  return { branch: { name: call.name, type: 'call', fields }, warning }
}

function nodeOf({ rpcUrl, name }: Network) {
  if (!rpcUrl) throw new Refusal(CODES.unsupportedChain, `This wallet doesn't send on ${name}.`)
  return createPublicClient({ transport: http(rpcUrl, { retryCount: 1, timeout: 10_000 }) })
}

/** Maximum fee of the transaction. If the network predicts a failure, the warning has its reason. */
async function costOf(network: Network, wanted: Wanted): Promise<Cost> {
  try {
    const { gas, fees } = await fill(network, wanted)
    const fee = gas * fees.maxFeePerGas
    const held = await nodeOf(network).getBalance({ address: wanted.from })
    const { symbol, decimals } = network.coin
    const warning =
      held < wanted.value + fee ? `The account has ${amount(held, decimals)} ${symbol}. That's not enough.` : null
    return { fee: `At most ${coins(network, atMost(fee, decimals))}`, warning }
  } catch (error) {
    if (error instanceof Refusal) return { fee: null, warning: error.message }
    const heard = error instanceof BaseError && error.walk((cause) => cause instanceof RpcRequestError) !== null
    const warning = heard ? `The network expects this to fail: ${reasonOf(error)}` : "The network isn't responding."
    return { fee: null, warning }
  }
}

async function fill(network: Network, wanted: Wanted) {
  const node = nodeOf(network)
  const { from: account, to, value, data } = wanted
  const [gas, fees] = await Promise.all([
    wanted.gas ?? node.estimateGas({ account, to, value, data }),
    node.estimateFeesPerGas({ chain: null })
  ])
  return { gas, fees }
}

async function send(network: Network, wanted: Wanted, begins?: (hash: Hex) => void): Promise<Hex> {
  const signer = ethereumSigner(wanted.from)
  if (!signer) throw new Refusal(CODES.internal, 'This wallet has no key for that account.')
  const node = nodeOf(network)
  try {
    const { gas, fees } = await fill(network, wanted)
    const nonce = await node.getTransactionCount({ address: wanted.from, blockTag: 'pending' })
    const { maxFeePerGas, maxPriorityFeePerGas } = fees
    const chainId = Number(network.id.split(':')[1])
    const { to, value, data } = wanted
    const serializedTransaction = await signer.signTransaction({
      type: 'eip1559',
      ...{ chainId, nonce, gas, to, value, data, maxFeePerGas, maxPriorityFeePerGas }
    })
    const hash = keccak256(serializedTransaction)
    begins?.(hash)
    await node.sendRawTransaction({ serializedTransaction }).catch((error: unknown) => {
      // Without a response the transaction may still have been sent: its hash is known, and it must not be sent again.
      if (wasRefused(error)) throw error
    })
    return hash
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(CODES.internal, reasonOf(error))
  }
}

/** Whether the node rejected the transaction. Errors such as "already known" mean that it accepted it at an earlier attempt. */
function wasRefused(error: unknown): boolean {
  const heard = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null
  return heard !== null && !/already known|known transaction|nonce too low/i.test(reasonOf(heard))
}

/** Short error message of the network. */
function reasonOf(error: unknown): string {
  const told = error as { details?: unknown; shortMessage?: unknown }
  return oneLine(told.details, 120) || oneLine(told.shortMessage, 120) || "it isn't responding."
}
