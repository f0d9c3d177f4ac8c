//! UniSat (https://docs.unisat.io/dev/open-api-documentation/unisat-wallet) and the wallets with its functions: OKX
//! (https://web3.okx.com/onchainos/dev-docs/sdks/chains/bitcoin/provider) and Bitget (https://web3.bitget.com/en/docs) on the main network,
//! and Binance (https://developers.binance.com/docs/binance-w3w/bitcoin-provider), which names its networks in another way.

import { hex } from '@scure/base'
import { field, list } from '../field.ts'
import type { Protocol } from './bytes.ts'
import { type BitcoinChain, CHAINS } from './chains.ts'
import {
  type BitcoinAccount,
  type Change,
  call,
  type Described,
  fault,
  must,
  type Psbt,
  UNKNOWN_CHAIN,
  type Way
} from './way.ts'

/** How a wallet tells and switches its network. */
interface Networks {
  /** The wallet's own name of a network; `undefined` for one that it does not have for pages. */
  readonly name: (chain: BitcoinChain) => string | undefined
  /** Name of the network on which the wallet is; the main one where the wallet has no other. */
  readonly stands?: (wallet: unknown) => Promise<unknown>
  readonly switch?: string
  /** Event of another network, and the name in its payload. */
  readonly changed?: readonly [event: string, name: (payload: unknown) => unknown]
}

/** Networks of UniSat itself. */
export const BY_CHAIN: Networks = {
  name: (chain) => chain.unisat,
  stands: async (wallet) => field(await must(wallet, 'getChain'), 'enum'),
  switch: 'switchChain',
  changed: ['chainChanged', (payload) => field(payload, 'enum')]
}

const NAMED: Readonly<Record<string, string>> = { mainnet: 'livenet', testnet: 'testnet', signet: 'signet' }

/** Networks of Binance, under the older names of UniSat. */
export const BY_NETWORK: Networks = {
  name: (chain) => NAMED[chain.name],
  stands: (wallet) => must(wallet, 'getNetwork'),
  switch: 'switchNetwork',
  changed: ['networkChanged', (payload) => payload]
}

/** The main network alone. */
export const MAIN_ALONE: Networks = { name: (chain) => (chain.form === 'main' ? chain.unisat : undefined) }

export class UnisatWay implements Way {
  readonly #wallet: unknown
  readonly #networks: Networks

  constructor(wallet: unknown, networks: Networks) {
    this.#wallet = wallet
    this.#networks = networks
  }

  async accounts(silent: boolean, chain: BitcoinChain): Promise<readonly Described[]> {
    const name = this.#name(chain)
    const accounts = await must(this.#wallet, silent ? 'getAccounts' : 'requestAccounts')
    const { stands } = this.#networks
    if (silent || stands === undefined || (await stands(this.#wallet)) === name) return this.#described(accounts)
    await this.switchChain(chain)
    return this.#described(await must(this.#wallet, 'getAccounts'))
  }

  signMessage({ address }: BitcoinAccount, message: string, protocol: Protocol | undefined): Promise<unknown> {
    const simple = protocol === 'bip322' || address.kind === 'p2tr'
    return must(this.#wallet, 'signMessage', message, simple ? 'bip322-simple' : 'ecdsa')
  }

  async signPsbt({ bytes, inputs, broadcast }: Psbt): Promise<{ psbt: unknown; txid?: unknown }> {
    // Asked first: no visitor signs a transaction that then can't be sent.
    if (broadcast && call(this.#wallet, 'pushPsbt') === undefined) await must(this.#wallet, 'pushPsbt')
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
    const name = this.#name(chain)
    return this.#networks.switch && must(this.#wallet, this.#networks.switch, name)
  }

  async disconnect(): Promise<unknown> {
    return call(this.#wallet, 'disconnect')?.()
  }

  listen(tell: (change: Change) => void): void {
    const on = call(this.#wallet, 'on')
    on?.('accountsChanged', (accounts: unknown) => {
      tell({ accounts: list(accounts).map((address) => ({ address })) })
    })
    const [event, name] = this.#networks.changed ?? []
    if (event) on?.(event, (payload: unknown) => tell({ chain: this.#chain(name?.(payload)) ?? null }))
  }

  /** Accounts in an answer, with the public key of the active one. */
  async #described(accounts: unknown): Promise<readonly Described[]> {
    const addresses = list(accounts)
    const publicKey = addresses.length === 0 ? undefined : await call(this.#wallet, 'getPublicKey')?.()
    return addresses.map((address, index) => (index === 0 ? { address, publicKey } : { address }))
  }

  #chain(name: unknown): BitcoinChain | undefined {
    return typeof name === 'string' ? CHAINS.find((chain) => this.#networks.name(chain) === name) : undefined
  }

  #name(chain: BitcoinChain): string {
    const name = this.#networks.name(chain)
    if (name === undefined) throw fault(UNKNOWN_CHAIN, `The wallet has no Bitcoin ${chain.name} for pages`)
    return name
  }
}
