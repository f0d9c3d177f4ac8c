import type { ChainAdapter, ExternalWallet } from '../adapter.ts'
import { field } from '../field.ts'
import { fetchAhead, lateProvider } from '../late.ts'
import type { Provider } from './PolkadotProvider.ts'

/** Limit of extensions, far above what any browser has; more than that is an attack. */
const MOST_WALLETS = 100

const LONGEST_NAME = 100

/** Largest SS58 prefix: 14 bits. */
const MOST_PREFIX = 16_383

/** Fetches the code that asks wallets. */
const load = () => import('./PolkadotProvider.ts')

const METHODS = ['request', 'getAccounts', 'signMessage', 'signRaw', 'signPayload', 'switchNetwork'] as const

/** Names for people, by the names of the entries in the page. */
const NAMES: Readonly<Record<string, string>> = {
  'polkadot-js': 'Polkadot{.js}',
  'subwallet-js': 'SubWallet',
  talisman: 'Talisman',
  enkrypt: 'Enkrypt'
}

export interface PolkadotAdapterOptions {
  /** Name by which the page presents itself to extensions, beside its address, which they know. Default: the page's host. */
  readonly name?: string
  /** SS58 prefixes of further networks by CAIP-2 id, 0 to 16383. Networks without one have the generic prefix, 42. */
  readonly prefixes?: Readonly<Record<string, number>>
}

/** Connects Polkadot extensions: those with an entry in `window.injectedWeb3`. */
export class PolkadotAdapter implements ChainAdapter {
  readonly namespace = 'polkadot'
  readonly adapterType = 'polkadot'
  readonly #name: string | undefined
  readonly #prefixes: Readonly<Record<string, number>>
  readonly #known = new Map<string, ExternalWallet>()
  #network: () => string | undefined = () => undefined
  #address: () => string | undefined = () => undefined

  constructor({ name, prefixes = {} }: PolkadotAdapterOptions = {}) {
    for (const [network, prefix] of Object.entries(prefixes))
      if (!Number.isInteger(prefix) || prefix < 0 || prefix > MOST_PREFIX)
        throw new RangeError(`The SS58 prefix of ${network} must be 0 to 16383`)
    this.#name = name
    this.#prefixes = { ...prefixes }
  }

  /** Looks for extensions whenever the list is wanted: none of them tells that it came later. */
  get connectors(): readonly ExternalWallet[] {
    if (typeof window !== 'undefined') this.#look()
    return [...this.#known.values()]
  }

  follow(network: () => string | undefined, address: () => string | undefined = () => undefined): void {
    this.#network = network
    this.#address = address
    fetchAhead('polkadot:', load)
  }

  #look(): void {
    try {
      for (const entry of Object.keys(Object(entries()))) this.#add(entry)
    } catch {
      // The page's object throws: it has no extension.
    }
  }

  #add(entry: string): void {
    if (this.#known.has(entry) || this.#known.size >= MOST_WALLETS) return
    if (entry === '' || entry.length > LONGEST_NAME) return
    try {
      const found = field(entries(), entry)
      if (typeof field(found, 'enable') !== 'function' && typeof field(found, 'connect') !== 'function') return
    } catch {
      return
    }
    const name = Object.hasOwn(NAMES, entry) ? (NAMES[entry] as string) : entry
    const around = {
      origin: this.#name ?? location.host,
      prefixes: this.#prefixes,
      network: () => this.#network(),
      address: () => this.#address()
    }
    const provider = lateProvider<Provider>(name, METHODS, async () => {
      const { PolkadotProvider } = await load()
      return new PolkadotProvider(name, () => field(entries(), entry), around)
    })
    this.#known.set(entry, { id: `polkadot:${entry}`, name, provider, installed: true })
  }
}

function entries(): unknown {
  return field(window, 'injectedWeb3')
}
