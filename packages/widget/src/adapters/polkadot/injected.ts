//! Interface of extensions (https://polkadot.js.org/docs/extension/): `window.injectedWeb3` has an entry for each. All that they bring is untrusted.

import { field } from '../field.ts'
import { accountIdOf, addressOf } from './address.ts'
import type { PolkadotChain } from './chains.ts'

/** Account that an extension shows to the page, parsed. */
export interface InjectedAccount {
  /** Address in the spelling of the connection's network. */
  readonly address: string
  readonly name?: string
  /** Address in the extension's own spelling, by which it is asked. */
  readonly own: string
}

/** Limit of accounts; a longer list is an attack. */
const MOST_ACCOUNTS = 1_000

const LONGEST_NAME = 100

/** Kinds of keys whose accounts are not the public key of 32 bytes. */
const OTHER_KEYS: readonly unknown[] = ['ecdsa', 'ethereum']

export const NOT_CONNECTED = 4100
export const UNSUPPORTED = 4200
export const OTHER_CHAIN = 4901
export const UNKNOWN_CHAIN = 4902
export const INVALID = -32602
const REFUSED = 4001

export function fault(code: number, message: string): Error {
  return Object.assign(new Error(message), { code })
}

/** Calls a function of an extension's object; an object without it is refused. */
export async function call(object: unknown, name: string, ...given: readonly unknown[]): Promise<unknown> {
  const run = field(object, name)
  if (typeof run !== 'function') throw fault(UNSUPPORTED, `The wallet has no ${name}`)
  try {
    return await run.apply(object, given)
  } catch (error) {
    throw refusal(error)
  }
}

/** Whether the hash of a genesis block in hex is that of this network. */
export function isGenesisOf(hash: unknown, { id }: PolkadotChain): boolean {
  return (
    typeof hash === 'string' && /^0x[0-9a-f]{64}$/i.test(hash) && `polkadot:${hash.slice(2, 34).toLowerCase()}` === id
  )
}

/**
 * Accounts of an extension that can be used on a network, each once. Accounts of other kinds of keys and those bound to another network are left
 * out. An account with a wrong address refuses the whole answer.
 */
export function accountsIn(answer: unknown, chain: PolkadotChain): readonly InjectedAccount[] {
  if (!Array.isArray(answer)) throw new Error('The wallet shared no account. Unlock it and try again.')
  if (answer.length > MOST_ACCOUNTS) throw new Error('The wallet answered with too many accounts')
  const accounts = new Map<string, InjectedAccount>()
  for (const one of answer as readonly unknown[]) {
    const [own, name, genesis] = [field(one, 'address'), field(one, 'name'), field(one, 'genesisHash')]
    if (OTHER_KEYS.includes(field(one, 'type'))) continue
    const id = accountIdOf(own)
    if (id === undefined) throw new Error('The wallet shared an invalid address. Try another wallet.')
    if (typeof genesis === 'string' && genesis !== '' && !isGenesisOf(genesis, chain)) continue
    const address = addressOf(id, chain.prefix)
    const shown = plain(name)
    if (!accounts.has(address))
      accounts.set(address, { address, own: own as string, ...(shown === '' ? {} : { name: shown }) })
  }
  return [...accounts.values()]
}

/** Name without line breaks, control characters and marks that change the direction of text, cut to 100 characters. */
function plain(name: unknown): string {
  if (typeof name !== 'string') return ''
  const start = name.slice(0, 4 * LONGEST_NAME).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
  return [...start.trim()].slice(0, LONGEST_NAME).join('')
}

/** Error of an extension. Extensions have no code for a refusal, only words. */
function refusal(error: unknown): unknown {
  const message = field(error, 'message') ?? error
  const refused = typeof message === 'string' && /^(user )?(cancell?ed|rejected|denied|declined)/i.test(message)
  return refused && field(error, 'code') === undefined
    ? fault(REFUSED, 'The request was declined in the wallet')
    : error
}
