//! Whether a message was signed by an EVM account: a key (EIP-191), a contract (EIP-1271), or a contract that is not deployed yet (ERC-6492).

import type { AppKitNetwork } from '../../host/options.ts'
import type { SIWXSession } from '../../host/siwx.ts'
import type { SIWXVerifier } from './DefaultSIWX.ts'
import { says } from './says.ts'

export interface EIP155VerifierOptions {
  /** Networks whose accounts may be contracts, which are asked at the first `rpcUrls.default` of the network. */
  readonly networks?: readonly AppKitNetwork[]
}

/** End of a signature of a contract that is not deployed yet (ERC-6492). */
const NOT_DEPLOYED = '6492'.repeat(16)

/** Multicall3, at one address on nearly every chain. It deploys and asks in one call that changes nothing. */
const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** Limit of a signature in characters; those of contracts have a few thousand. */
const LONGEST = 131_072

/** Time limit of a question to a chain, in milliseconds: the widget waits ten seconds for the sessions of a page. */
const PATIENCE = 7_000

/** Function, and answer of a contract that accepts the signature (EIP-1271). */
const IS_VALID_SIGNATURE = '1626ba7e'

/** `aggregate3((address,bool,bytes)[])` of Multicall3. */
const AGGREGATE = '82ad56cb'

/**
 * Verifies the sessions of EVM accounts. A key's signature is verified in the page alone; a contract is asked on its chain, so that the answer
 * is as honest as the node. Rejects if the chain cannot be asked, which says nothing about the signature.
 */
export class EIP155Verifier implements SIWXVerifier {
  readonly chainNamespace = 'eip155'
  readonly #networks: readonly AppKitNetwork[]

  constructor({ networks = [] }: EIP155VerifierOptions = {}) {
    this.#networks = networks
  }

  async verify({ data, message, signature }: SIWXSession): Promise<boolean> {
    if (!says(message, data) || !/^0x[0-9a-f]{40}$/i.test(data.accountAddress)) return false
    if (signature.length > LONGEST || !/^0x([0-9a-f]{2})+$/i.test(signature)) return false
    const given = signature.slice(2).toLowerCase()
    const account = data.accountAddress.slice(2).toLowerCase()
    const { hashOf, signerOf } = await import('./secp256k1.ts')
    const hash = hashOf(message)
    if (signerOf(hash, given) === account) return true
    const url = this.#urlOf(data.chainId)
    if (url === undefined) return false
    return given.endsWith(NOT_DEPLOYED)
      ? asksAfterDeploying(url, account, hash, given)
      : asks(url, account, hash, given)
  }

  #urlOf(chain: string): string | undefined {
    const own = this.#networks.find(({ id, caipNetworkId = `eip155:${id}` }) => caipNetworkId === chain)
    return own?.rpcUrls.default.http[0]
  }
}

async function asks(url: string, account: string, hash: string, signature: string): Promise<boolean> {
  return accepts(await call(url, `0x${account}`, question(hash, signature)))
}

/** The signature is of the form `abi.encode(factory, factoryCalldata, signature)`, then the mark. */
async function asksAfterDeploying(url: string, account: string, hash: string, wrapped: string): Promise<boolean> {
  const word = (index: number) => wrapped.slice(64 * index, 64 * index + 64)
  const bytesAt = (index: number) => {
    const from = 2 * Number(`0x${word(index)}`)
    const length = 2 * Number(`0x${wrapped.slice(from, from + 64)}`)
    return wrapped.slice(from + 64, from + 64 + length)
  }
  const [factory, deploy, signature] = [word(0).slice(24), bytesAt(1), bytesAt(2)]
  if (factory.length !== 40) return false
  const calls = [entry(factory, deploy), entry(account, question(hash, signature))]
  const [first = ''] = calls
  const places = [number(64), number(64 + first.length / 2)]
  const answer = await call(url, MULTICALL, `${AGGREGATE}${number(32)}${number(2)}${places.join('')}${calls.join('')}`)
  // Two results of (success, bytes): the place of the second one is in the list's second word.
  const list = answer.slice(64 * 2)
  const second = list.slice(2 * Number(`0x${list.slice(64, 128)}`))
  return Number(`0x${second.slice(0, 64)}`) === 1 && accepts(second.slice(64 * 3))
}

/** Call that may fail: one element of the list of `aggregate3`. */
function entry(to: string, data: string): string {
  return to.padStart(64, '0') + number(1) + number(96) + bytes(data)
}

/** Call data of `isValidSignature(hash, signature)`. */
function question(hash: string, signature: string): string {
  return IS_VALID_SIGNATURE + hash + number(64) + bytes(signature)
}

function number(value: number): string {
  return value.toString(16).padStart(64, '0')
}

function bytes(hex: string): string {
  return number(hex.length / 2) + hex.padEnd(Math.ceil(hex.length / 64) * 64, '0')
}

function accepts(answer: string): boolean {
  return answer.slice(0, 64) === IS_VALID_SIGNATURE.padEnd(64, '0')
}

/** Answer of a contract without `0x`; empty if it refuses by an error of its own. */
async function call(url: string, to: string, data: string): Promise<string> {
  const params = [{ to, data: `0x${data}` }, 'latest']
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params })
  const headers = { 'content-type': 'application/json' }
  const answer = await ask(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(PATIENCE) })
  const { result, error } = answer ?? {}
  if (typeof result === 'string' && /^0x[0-9a-f]*$/i.test(result)) return result.slice(2).toLowerCase()
  if (error && isOfCall(error)) return ''
  throw unavailable()
}

/** Codes of errors that the call itself causes: reverted (geth), failed in the EVM (Nethermind, OpenEthereum), invalid parameters (EIP-1474). */
const CODES_OF_CALL: readonly unknown[] = [3, -32015, -32602]

/** Words for a call that failed in the EVM, for which nodes share codes with faults of their own. */
const WORDS_OF_CALL = new RegExp(
  [
    '[Rr]evert',
    // geth, Erigon and Nethermind.
    '[Oo]ut of gas|gas uint64 overflow|intrinsic gas too low|max call depth exceeded',
    'invalid (opcode|jump)|stack (under|over)flow|stack limit reached|write protection|return data out of bounds',
    // Reth and anvil: the name of the EVM's halt follows. One of them is a fault of the node's database.
    'EVM error:? (?!FatalExternalError)[A-Z]'
  ].join('|')
)

/** Whether an error says that the contract, or this question to it, has failed. Any other one says nothing about the signature. */
function isOfCall({ code, message }: NonNullable<Answer['error']>): boolean {
  return CODES_OF_CALL.includes(code) || WORDS_OF_CALL.test(String(message))
}

type Answer = { readonly result?: unknown; readonly error?: { readonly code?: unknown; readonly message?: unknown } }

/** Answer of a node; rejects if it can't be reached, is overloaded or broken, or answers something else than JSON. */
async function ask(url: string, request: RequestInit): Promise<Answer | null> {
  try {
    const response = await fetch(url, request)
    const answer: Answer | null = await response.json()
    // Some nodes answer a failed call with the status 500.
    const failed = response.status === 500 && answer?.error && isOfCall(answer.error)
    if (!failed && (response.status === 429 || response.status >= 500))
      throw new Error(`HTTP status code: ${response.status}`)
    return answer
  } catch (cause) {
    throw unavailable(cause)
  }
}

/** Error with the status 503 (HTTP's "Service Unavailable"), for which the core tells the visitor to try again. */
function unavailable(cause?: unknown): Error {
  const error = new Error("Couldn't ask the chain whether the signature is valid. Try again.", { cause })
  return Object.assign(error, { status: 503 })
}
