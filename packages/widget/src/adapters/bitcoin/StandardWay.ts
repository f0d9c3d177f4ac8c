//! Wallets of the Wallet Standard, by its extension for Bitcoin (https://github.com/ExodusMovement/bitcoin-wallet-standard).

import { field, list } from '../field.ts'
import type { StandardWallet } from '../standard.ts'
import type { BitcoinChain } from './chains.ts'
import {
  type BitcoinAccount,
  type Change,
  call,
  type Described,
  fault,
  must,
  type Psbt,
  UNSUPPORTED,
  type Way
} from './way.ts'

/** Names of the types of signatures. Taproot's default has none. */
const SIGHASHES = new Map([
  [0x01, 'ALL'],
  [0x02, 'NONE'],
  [0x03, 'SINGLE'],
  [0x81, 'ALL|ANYONECANPAY'],
  [0x82, 'NONE|ANYONECANPAY'],
  [0x83, 'SINGLE|ANYONECANPAY']
])

export class StandardWay implements Way {
  readonly #wallet: StandardWallet
  /** Network of the connection, whose accounts count. */
  #chain: BitcoinChain | undefined

  constructor(wallet: StandardWallet) {
    this.#wallet = wallet
  }

  async accounts(silent: boolean, chain: BitcoinChain): Promise<readonly Described[]> {
    this.#chain = chain
    const own = call(this.#feature('bitcoin:connect'), 'connect')
    const general = call(this.#feature('standard:connect'), 'connect')
    if (silent) await general?.({ silent })
    else if (own) await own({ purposes: ['payment', 'ordinals'] })
    else await must(this.#feature('standard:connect'), 'connect')
    return this.#described()
  }

  async signMessage({ handle }: BitcoinAccount, message: string): Promise<unknown> {
    const bytes = new TextEncoder().encode(message)
    const answer = await must(this.#feature('bitcoin:signMessage'), 'signMessage', { account: handle, message: bytes })
    const [first] = list(answer)
    // The standard lets the wallet prefix the message, but not sign another one.
    const signed = field(first, 'signedMessage')
    const start = signed instanceof Uint8Array ? signed.length - bytes.length : -1
    if (start < 0 || bytes.some((byte, index) => (signed as Uint8Array)[start + index] !== byte))
      throw new Error('The wallet signed another message')
    return field(first, 'signature')
  }

  async signPsbt({ bytes, inputs, broadcast, chain }: Psbt): Promise<{ psbt: unknown }> {
    if (broadcast) throw fault(UNSUPPORTED, `${this.#wallet.name} signs without sending`)
    const inputsToSign = inputs.map(({ account, index, sighashTypes = [] }) => ({
      account: account.handle,
      signingIndexes: [index],
      ...named(sighashTypes)
    }))
    const given = { psbt: bytes, chain: `bitcoin:${chain.name}`, inputsToSign }
    const [first] = list(await must(this.#feature('bitcoin:signTransaction'), 'signTransaction', given))
    return { psbt: field(first, 'signedPsbt') }
  }

  async send(): Promise<never> {
    throw fault(UNSUPPORTED, `${this.#wallet.name} has no transfers: sign a transaction with it`)
  }

  /** A wallet of the standard has accounts on several networks at once. */
  async switchChain(chain: BitcoinChain): Promise<void> {
    this.#chain = chain
    if (this.#described().length === 0) throw fault(UNSUPPORTED, `${this.#wallet.name} has no account on ${chain.name}`)
  }

  async disconnect(): Promise<unknown> {
    return call(this.#feature('standard:disconnect'), 'disconnect')?.()
  }

  listen(tell: (change: Change) => void): void {
    call(this.#feature('standard:events'), 'on')?.('change', () => tell({ accounts: this.#described() }))
  }

  #described(): readonly Described[] {
    const chain = `bitcoin:${this.#chain?.name}`
    const own = list(this.#wallet.accounts).filter((one) => list(field(one, 'chains')).includes(chain))
    return own.map((handle) => ({ address: field(handle, 'address'), publicKey: field(handle, 'publicKey'), handle }))
  }

  /** Feature of the first version; a later one may mean something else. */
  #feature(name: string): unknown {
    const feature = field(this.#wallet.features, name)
    return String(field(feature, 'version')).startsWith('1.') ? feature : undefined
  }
}

/** Name of the type of signature that is asked for; none where the wallet may choose. */
function named(types: readonly number[]): { readonly sigHash?: string } {
  const [type = 0] = types.length === 1 ? types : []
  const sigHash = SIGHASHES.get(type)
  return sigHash === undefined ? {} : { sigHash }
}
