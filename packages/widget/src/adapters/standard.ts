//! Browser wallets of the Wallet Standard. All that they say is untrusted.

/** Account of a wallet. */
export interface StandardAccount {
  readonly address: string
  readonly publicKey: Uint8Array
  readonly chains: readonly string[]
  readonly features: readonly string[]
  /** Name that the visitor or the wallet gave to it. */
  readonly label?: unknown
}

/** Wallet as it registers itself. */
export interface StandardWallet {
  readonly version: string
  readonly name: string
  /** `data:` URI. */
  readonly icon: string
  /** Chains in the standard's own names: `solana:mainnet`. */
  readonly chains: readonly string[]
  /** Functions by the name and version of what they do: `standard:connect`. */
  readonly features: Readonly<Record<string, unknown>>
  readonly accounts: readonly StandardAccount[]
}

/** What a wallet is handed to register itself with. */
interface Registry {
  register(...wallets: StandardWallet[]): () => void
}

interface Listener {
  added(wallet: StandardWallet): void
  removed(wallet: StandardWallet): void
}

/** Tells the wallets of the page: those that wait already, and each that comes later. */
export function followWallets({ added, removed }: Listener): void {
  const registry: Registry = Object.freeze({
    register(...wallets: StandardWallet[]) {
      for (const wallet of wallets) added(wallet)
      return () => {
        for (const wallet of wallets) removed(wallet)
      }
    }
  })
  window.addEventListener('wallet-standard:register-wallet', (event) => {
    try {
      ;(event as CustomEvent<(registry: Registry) => void>).detail(registry)
    } catch {
      // Not a registration, or a wallet that fails in its own code.
    }
  })
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: registry }))
}

/** Registers a wallet in the page: with the libraries that wait already, and with each that comes later. */
export function registerWallet(wallet: StandardWallet): void {
  const register = (registry: Registry) => registry.register(wallet)
  window.addEventListener('wallet-standard:app-ready', (event) => register((event as CustomEvent<Registry>).detail))
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
}
