import type { ChainAdapter, ExternalWallet } from '../adapter.ts'
import { fetchAhead, lateProvider } from '../late.ts'
import { followWallets, registerWallet, type StandardWallet } from '../standard.ts'
import { servesSolana } from './features.ts'
import type { Provider, SolanaProvider } from './SolanaProvider.ts'

/** Limit of wallets, far above what any browser has; more than that is an attack. */
const MOST_WALLETS = 100

const LONGEST_NAME = 100

/** Fetches the code that asks wallets. */
const load = () => import('./SolanaProvider.ts')

const METHODS = [
  'request',
  'signMessage',
  'signTransaction',
  'signAllTransactions',
  'signAndSendTransaction',
  'sendTransaction'
] as const

/** Level at which a node counts a block as final enough. */
export type SolanaCommitment = 'processed' | 'confirmed' | 'finalized'

/** Second parameter of web3.js' `new Connection`, as far as it is data. */
export type SolanaConnectionSettings =
  | SolanaCommitment
  | {
      readonly commitment?: SolanaCommitment
      readonly wsEndpoint?: string
      readonly httpHeaders?: { readonly [name: string]: string }
      readonly disableRetryOnRateLimit?: boolean
      /** Milliseconds. */
      readonly confirmTransactionInitialTimeout?: number
    }

export interface SolanaAdapterOptions {
  /** Settings of the connection that `useAppKitConnection` returns. Default: `confirmed`. */
  readonly connectionSettings?: SolanaConnectionSettings
  /** Whether the embedded wallet registers itself in the page, for other libraries of the Wallet Standard, once the visitor logged in. Default `false`. */
  readonly registerWalletStandard?: boolean
  /** Wallets of the Wallet Standard that the host adds, besides those that register themselves in the page. */
  readonly wallets?: readonly StandardWallet[]
}

/** Connects Solana wallets: those that register themselves by the Wallet Standard, and those of the host. */
export class SolanaAdapter implements ChainAdapter {
  readonly namespace = 'solana'
  readonly adapterType = 'solana'
  readonly connectionSettings: SolanaConnectionSettings | undefined
  readonly #given: readonly StandardWallet[]
  readonly #registers: boolean
  /** The embedded wallet, which is not one of the browser's wallets. */
  #embedded: StandardWallet | undefined
  readonly #known = new Map<StandardWallet, ExternalWallet>()
  /** Ids that were given out; none is given to a second wallet, also after the first one left. */
  readonly #ids = new Set<string>()
  readonly #listeners = new Set<() => void>()
  #network: () => string | undefined = () => undefined
  #address: () => string | undefined = () => undefined
  #looked = false
  #telling = false

  constructor({ wallets = [], connectionSettings, registerWalletStandard = false }: SolanaAdapterOptions = {}) {
    this.#registers = registerWalletStandard
    this.connectionSettings = connectionSettings
    this.#given = wallets
  }

  get connectors(): readonly ExternalWallet[] {
    this.#look()
    return [...this.#known.values()]
  }

  on(_event: 'connectors', tell: () => void): void {
    this.#listeners.add(tell)
  }

  off(_event: 'connectors', tell: () => void): void {
    this.#listeners.delete(tell)
  }

  follow(network: () => string | undefined, address: () => string | undefined = () => undefined): void {
    this.#network = network
    this.#address = address
    fetchAhead('solana:', load)
  }

  /** Provider of the embedded wallet on the adapter's network. */
  provide(wallet: StandardWallet): Provider {
    this.#embedded = wallet
    if (this.#registers) registerWallet(wallet)
    return this.#providerOf(wallet)
  }

  #providerOf(wallet: StandardWallet): Provider {
    let made: SolanaProvider | undefined
    const provider = lateProvider<Provider>(wallet.name, METHODS, async () => {
      const { SolanaProvider } = await load()
      const around = [() => this.#network(), () => this.#address()] as const
      made = new SolanaProvider(wallet, ...around)
      return made
    })
    return Object.defineProperties(provider, {
      wallet: { value: wallet, enumerable: true },
      publicKey: { get: () => made?.publicKey, enumerable: true }
    })
  }

  /** Looks for wallets once the list is wanted, whose reader needs not be told. A page on the server has none. */
  #look(): void {
    if (this.#looked || typeof window === 'undefined') return
    for (const wallet of this.#given) this.#add(wallet)
    followWallets({
      added: (wallet) => {
        if (this.#add(wallet) && this.#looked) this.#changed()
      },
      removed: (wallet) => {
        if (this.#known.delete(wallet)) this.#changed()
      }
    })
    this.#looked = true
  }

  #add(wallet: StandardWallet): boolean {
    try {
      if (
        wallet === this.#embedded ||
        this.#known.has(wallet) ||
        this.#ids.size >= MOST_WALLETS ||
        !servesSolana(wallet)
      )
        return false
      const { name, icon } = wallet
      if (typeof name !== 'string' || name === '' || name.length > LONGEST_NAME) return false
      const id = this.#free(`solana:${name}`)
      this.#ids.add(id)
      this.#known.set(wallet, { id, name, imageUrl: icon, provider: this.#providerOf(wallet), installed: true })
      return true
    } catch {
      // A wallet whose description cannot be read.
      return false
    }
  }

  /** Id of a wallet. The standard has none but the name, which another wallet may have taken; no id of an EVM wallet has a colon. */
  #free(id: string): string {
    let one = id
    for (let number = 2; this.#ids.has(one); number += 1) one = `${id}.${number}`
    return one
  }

  /** Tells the listeners once about all wallets that register in one go. */
  #changed(): void {
    if (this.#telling) return
    this.#telling = true
    queueMicrotask(() => {
      this.#telling = false
      for (const tell of this.#listeners) tell()
    })
  }
}
