import type { ExternalWallet } from '../adapters/adapter.ts'
import type { Eip1193Provider } from '../adapters/eip155/provider.ts'
import type { UniversalProvider } from './relay/universal.ts'

/** What cannot cross into the core: live objects, under the handles by which the core knows them. */
export class Page {
  /** Wallets by handle. */
  readonly providers = new Map<string, Eip1193Provider>()
  /** The requests for accounts that wallets were handed before the core was there and have not answered. */
  unanswered: ReadonlyMap<Eip1193Provider, Promise<unknown>> = new Map()
  /** The one of the choice that the core is told of now. */
  handed: Promise<unknown> | undefined
  /** Those that answered an attempt of this kit already; the next one asks anew. */
  readonly adopted = new WeakSet<Promise<unknown>>()
  /** Wallets that the host brought along, as they are now. */
  external: () => readonly ExternalWallet[] = () => []
  /** WalletConnect as a whole; `undefined` where the host configured no relay. */
  universal: () => Promise<UniversalProvider | undefined> = async () => undefined
  /** Those of the providers that the host brought along. */
  readonly ours = new Map<string, Eip1193Provider>()
  /** The `data:` pictures of wallets by handle. */
  readonly icons = new Map<string, string>()
  /** How to stop listening to a wallet, by handle. */
  readonly watches = new Map<string, () => void>()
}
