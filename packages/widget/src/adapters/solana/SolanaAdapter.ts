import type { ChainAdapter, ExternalWallet } from '../adapter.ts'
import { SolanaProvider, servesSolana } from './SolanaProvider.ts'
import { followWallets, type StandardWallet } from './standard.ts'

export interface SolanaAdapterOptions {
  /** Wallets of the Wallet Standard that the host adds, besides those that register themselves in the page. */
  readonly wallets?: readonly StandardWallet[]
}

/** Connects Solana wallets: those that register themselves by the Wallet Standard, and those of the host. */
export class SolanaAdapter implements ChainAdapter {
  readonly namespace = 'solana'
  readonly adapterType = 'solana'
  readonly #given: readonly StandardWallet[]
  readonly #known = new Map<StandardWallet, ExternalWallet>()
  readonly #listeners = new Set<() => void>()
  #network: () => string | undefined = () => undefined
  #looked = false

  constructor({ wallets = [] }: SolanaAdapterOptions = {}) {
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

  follow(network: () => string | undefined): void {
    this.#network = network
  }

  /** Looks for wallets once the list is wanted, whose reader needs not be told. A page on the server has none. */
  #look(): void {
    if (this.#looked || typeof window === 'undefined') return
    for (const wallet of this.#given) this.#add(wallet)
    followWallets({
      added: (wallet) => {
        if (this.#add(wallet) && this.#looked) this.#tell()
      },
      removed: (wallet) => {
        if (this.#known.delete(wallet)) this.#tell()
      }
    })
    this.#looked = true
  }

  #add(wallet: StandardWallet): boolean {
    try {
      if (this.#known.has(wallet) || !servesSolana(wallet)) return false
      const { name, icon } = wallet
      const provider = new SolanaProvider(wallet, () => this.#network())
      this.#known.set(wallet, { id: this.#free(`solana.${name}`), name, imageUrl: icon, provider, installed: true })
      return true
    } catch {
      // A wallet whose description cannot be read.
      return false
    }
  }

  /** Id of a wallet. The standard has none but the name, which another wallet may have taken. */
  #free(id: string): string {
    const taken = new Set([...this.#known.values()].map((wallet) => wallet.id))
    for (let number = 1; ; number += 1) {
      const one = number === 1 ? id : `${id}.${number}`
      if (!taken.has(one)) return one
    }
  }

  #tell(): void {
    for (const tell of this.#listeners) tell()
  }
}
