import type { Eip1193Provider } from '../adapters/eip155/provider.ts'
import type { HostWallet } from './listen/external.ts'
import type { UniversalProvider } from './relay/universal.ts'

/** Objects that cannot cross into the core, under the handles by which the core knows them. */
export class Page {
  /** Providers of wallets, by handle. */
  readonly providers = new Map<string, Eip1193Provider>()
  /** Account requests that were sent before the core had loaded and have not been answered. */
  unanswered: ReadonlyMap<Eip1193Provider, Promise<unknown>> = new Map()
  /** Pending request of the choice that the core is processing. */
  handed: Promise<unknown> | undefined
  /** Pending requests that an attempt of this kit has already used; the next attempt sends a new one. */
  readonly adopted = new WeakSet<Promise<unknown>>()
  /** Wallets that the host adds, as they are now. */
  external: () => readonly HostWallet[] = () => []
  /** WalletConnect provider; `undefined` if the host configured no relay. */
  universal: () => Promise<UniversalProvider | undefined> = async () => undefined
  /** Providers that the host added, by wallet id. */
  readonly ours = new Map<string, Eip1193Provider>()
  /** Reverse domains of wallets, or ids of those that have none, by handle. */
  readonly domains = new Map<string, string>()
  /** Announced `data:` pictures of wallets, by handle. */
  readonly icons = new Map<string, string>()
  /** Functions that stop listening to a wallet or close a socket, by handle or URL. */
  readonly watches = new Map<string, () => void>()
}
