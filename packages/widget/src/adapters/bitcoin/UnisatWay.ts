//! UniSat (https://docs.unisat.io/dev/open-api-documentation/unisat-wallet) and OKX, which has the same functions on the main network
//! (https://web3.okx.com/onchainos/dev-docs/sdks/chains/bitcoin/provider).

import { hex } from '@scure/base'
import type { Protocol } from './bytes.ts'
import { type BitcoinChain, chainOf } from './chains.ts'
import {
  type BitcoinAccount,
  type Change,
  call,
  type Described,
  fault,
  field,
  list,
  must,
  type Psbt,
  UNKNOWN_CHAIN,
  type Way
} from './way.ts'

export class UnisatWay implements Way {
  readonly #wallet: unknown
  /** Whether the wallet has the main network alone. */
  readonly #mainAlone: boolean

  constructor(wallet: unknown, mainAlone: boolean) {
    this.#wallet = wallet
    this.#mainAlone = mainAlone
  }

  async accounts(silent: boolean, chain: BitcoinChain): Promise<readonly Described[]> {
    if (this.#mainAlone && chain.form !== 'main') throw this.#unknown(chain)
    const accounts = await must(this.#wallet, silent ? 'getAccounts' : 'requestAccounts')
    if (silent || (await this.#stands()) === chain.unisat) return this.#described(accounts)
    await this.switchChain(chain)
    return this.#described(await must(this.#wallet, 'getAccounts'))
  }

  signMessage({ address }: BitcoinAccount, message: string, protocol: Protocol | undefined): Promise<unknown> {
    const simple = protocol === 'bip322' || address.kind === 'p2tr'
    return must(this.#wallet, 'signMessage', message, simple ? 'bip322-simple' : 'ecdsa')
  }

  async signPsbt({ bytes, inputs, broadcast }: Psbt): Promise<{ psbt: unknown; txid?: unknown }> {
    const toSignInputs = inputs.map(({ account, index, sighashTypes }) => ({
      index,
      address: account.address.text,
      ...(sighashTypes ? { sighashTypes } : {})
    }))
    const psbt = await must(this.#wallet, 'signPsbt', hex.encode(bytes), { autoFinalized: broadcast, toSignInputs })
    return broadcast ? { psbt, txid: await must(this.#wallet, 'pushPsbt', psbt) } : { psbt }
  }

  send(to: string, satoshis: number): Promise<unknown> {
    return must(this.#wallet, 'sendBitcoin', to, satoshis)
  }

  async switchChain(chain: BitcoinChain): Promise<unknown> {
    if (this.#mainAlone) throw this.#unknown(chain)
    return must(this.#wallet, 'switchChain', chain.unisat)
  }

  async disconnect(): Promise<unknown> {
    return call(this.#wallet, 'disconnect')?.()
  }

  listen(tell: (change: Change) => void): void {
    const on = call(this.#wallet, 'on')
    on?.('accountsChanged', (accounts: unknown) => {
      tell({ accounts: list(accounts).map((address) => ({ address })) })
    })
    on?.('chainChanged', (chain: unknown) => tell({ chain: chainOf(field(chain, 'enum')) ?? null }))
  }

  /** Accounts in an answer, with the public key of the active one. */
  async #described(accounts: unknown): Promise<readonly Described[]> {
    const addresses = list(accounts)
    const publicKey = addresses.length === 0 ? undefined : await call(this.#wallet, 'getPublicKey')?.()
    return addresses.map((address, index) => (index === 0 ? { address, publicKey } : { address }))
  }

  /** The wallet's own name of the network on which it is. */
  async #stands(): Promise<unknown> {
    return this.#mainAlone ? 'BITCOIN_MAINNET' : field(await must(this.#wallet, 'getChain'), 'enum')
  }

  #unknown({ name }: BitcoinChain): Error {
    return fault(UNKNOWN_CHAIN, `The wallet has no Bitcoin ${name} for pages`)
  }
}
