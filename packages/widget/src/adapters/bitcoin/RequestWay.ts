//! Wallets with a `request(method, params)`: those of sats-connect (https://docs.xverse.app/sats-connect), such as Xverse, and Leather
//! (https://leather.gitbook.io/developers), whose parameters differ.

import { base64, hex } from '@scure/base'
import { field, list } from '../field.ts'
import type { Protocol } from './bytes.ts'
import { type BitcoinChain, chainOf } from './chains.ts'
import {
  type BitcoinAccount,
  type Change,
  call,
  type Described,
  fault,
  must,
  NOT_CONNECTED,
  OTHER_CHAIN,
  type Psbt,
  REFUSED,
  UNSUPPORTED,
  type Way
} from './way.ts'

/** Codes of sats-connect with an equivalent of EIP-1193: refused, no permission, no such method. */
const TRANSLATED = new Map<unknown, number>([
  [-32_000, REFUSED],
  [-32_002, NOT_CONNECTED],
  [-32_001, UNSUPPORTED],
  [-32_601, UNSUPPORTED]
])

/** Types of signatures of inputs that name none: Taproot's default, and all inputs and outputs. */
const DEFAULTS = [0, 1]

const PURPOSES = ['payment', 'ordinals']

export class SatsConnectWay implements Way {
  readonly #provider: unknown

  constructor(provider: unknown) {
    this.#provider = provider
  }

  async accounts(silent: boolean, chain: BitcoinChain): Promise<readonly Described[]> {
    const result = await (silent ? this.#known() : this.#connect(chain))
    const name = field(field(field(result, 'network'), 'bitcoin'), 'name')
    if (name !== undefined && name !== chain.satsConnect)
      throw fault(OTHER_CHAIN, `The wallet is on ${name}, and the page on ${chain.satsConnect}`)
    return described(field(result, 'addresses'))
  }

  /** Account of the connection; none where the wallet says that there is no connection, or cannot say it. */
  async #known(): Promise<unknown> {
    try {
      return await ask(this.#provider, 'wallet_getAccount')
    } catch (error) {
      if ([NOT_CONNECTED, UNSUPPORTED].includes(field(error, 'code') as number)) return undefined
      throw error
    }
  }

  async #connect(chain: BitcoinChain): Promise<unknown> {
    try {
      return await ask(this.#provider, 'wallet_connect', { addresses: PURPOSES, network: chain.satsConnect })
    } catch (error) {
      if (field(error, 'code') !== UNSUPPORTED) throw error
      return ask(this.#provider, 'getAddresses', { purposes: PURPOSES })
    }
  }

  async signMessage(account: BitcoinAccount, message: string, protocol: Protocol | undefined): Promise<unknown> {
    const address = account.address.text
    const chosen = protocol === undefined ? {} : { protocol: protocol.toUpperCase() }
    const result = await ask(this.#provider, 'signMessage', { address, message, ...chosen })
    if (field(result, 'address') !== address) throw new Error('The wallet signed with another address')
    return field(result, 'signature')
  }

  async signPsbt({ bytes, inputs, broadcast }: Psbt): Promise<{ psbt: unknown; txid: unknown }> {
    const signInputs: Record<string, number[]> = {}
    for (const { account, index } of inputs) {
      const { text } = account.address
      signInputs[text] = [...(signInputs[text] ?? []), index]
    }
    const result = await ask(this.#provider, 'signPsbt', { psbt: base64.encode(bytes), signInputs, broadcast })
    return { psbt: field(result, 'psbt'), txid: field(result, 'txid') }
  }

  async send(address: string, amount: number): Promise<unknown> {
    return field(await ask(this.#provider, 'sendTransfer', { recipients: [{ address, amount }] }), 'txid')
  }

  switchChain({ satsConnect }: BitcoinChain): Promise<unknown> {
    return ask(this.#provider, 'wallet_changeNetwork', { name: satsConnect })
  }

  async disconnect(): Promise<unknown> {
    return ask(this.#provider, 'wallet_disconnect')
  }

  listen(tell: (change: Change) => void): void {
    const add = call(this.#provider, 'addListener')
    const accountsIn = (event: unknown) => {
      const told = field(event, 'addresses')
      return told === undefined ? {} : { accounts: described(told) }
    }
    add?.({ eventName: 'accountChange', cb: (event: unknown) => tell(accountsIn(event)) })
    add?.({
      eventName: 'networkChange',
      cb: (event: unknown) =>
        tell({ chain: chainOf(field(field(event, 'bitcoin'), 'name')) ?? null, ...accountsIn(event) })
    })
    add?.({ eventName: 'disconnect', cb: () => tell({ accounts: [] }) })
  }
}

/** Leather tells its accounts only with a question, so that a visitor is asked again after a reload. */
export class LeatherWay implements Way {
  readonly #provider: unknown

  constructor(provider: unknown) {
    this.#provider = provider
  }

  async accounts(silent: boolean): Promise<readonly Described[]> {
    return silent ? [] : described(field(await ask(this.#provider, 'getAddresses'), 'addresses'))
  }

  async signMessage(
    { address }: BitcoinAccount,
    message: string,
    _protocol: Protocol | undefined,
    { name: network }: BitcoinChain
  ): Promise<unknown> {
    const result = await ask(this.#provider, 'signMessage', { message, paymentType: address.kind, network })
    if (field(result, 'address') !== address.text) throw new Error('The wallet signed with another address')
    return field(result, 'signature')
  }

  async signPsbt({ bytes, inputs, broadcast, chain }: Psbt): Promise<{ psbt: unknown; txid: unknown }> {
    const signAtIndex = inputs.map(({ index }) => index)
    // The wallet has one list for all inputs: each still names its own type in the transaction.
    const all = inputs.flatMap(({ sighashTypes }) => sighashTypes ?? DEFAULTS)
    const allowedSighash = inputs.some(({ sighashTypes }) => sighashTypes) ? { allowedSighash: [...new Set(all)] } : {}
    const given = { hex: hex.encode(bytes), signAtIndex, broadcast, network: chain.name, ...allowedSighash }
    const result = await ask(this.#provider, 'signPsbt', given)
    return { psbt: field(result, 'hex'), txid: field(result, 'txid') }
  }

  async send(address: string, satoshis: number, { name: network }: BitcoinChain): Promise<unknown> {
    const recipients = [{ address, amount: String(satoshis) }]
    return field(await ask(this.#provider, 'sendTransfer', { recipients, network }), 'txid')
  }

  async switchChain(): Promise<never> {
    throw fault(UNSUPPORTED, 'Choose the network in Leather, then connect again')
  }

  async disconnect(): Promise<void> {}

  listen(): void {}
}

/** Addresses of Bitcoin in a list with those of other chains. */
function described(addresses: unknown): readonly Described[] {
  return list(addresses)
    .filter((one) => [undefined, 'BTC'].includes(field(one, 'symbol') as string | undefined))
    .filter((one) => [undefined, ...PURPOSES].includes(field(one, 'purpose') as string | undefined))
    .map((one) => ({
      address: field(one, 'address'),
      publicKey: field(one, 'publicKey'),
      purpose: field(one, 'purpose')
    }))
}

/** Sends a request. The wallet answers, or throws, an object with `result` or `error` (JSON-RPC). */
async function ask(provider: unknown, method: string, params?: unknown): Promise<unknown> {
  let answer: unknown
  try {
    answer = await must(provider, 'request', method, ...(params === undefined ? [] : [params]))
  } catch (error) {
    throw translated(field(error, 'error') ?? error)
  }
  const error = field(answer, 'error')
  if (error !== undefined && error !== null) throw translated(error)
  return field(answer, 'result')
}

function translated(error: unknown): unknown {
  const [code, message] = [field(error, 'code'), field(error, 'message')]
  if (typeof code !== 'number') return error
  return fault(TRANSLATED.get(code) ?? code, typeof message === 'string' ? message : 'The wallet failed')
}
