import type { ChainAdapter, ExternalWallet } from '../adapter.ts'
import { field, list } from '../field.ts'
import { fetchAhead, lateProvider } from '../late.ts'
import { followWallets, type StandardWallet } from '../standard.ts'
import type { Provider } from './BitcoinProvider.ts'
import type { UtxoSource } from './balance.ts'
import type { Way } from './way.ts'

/** Fetches the code that asks wallets. */
const load = () => import('./bitcoinWallets.ts')

type Code = Awaited<ReturnType<typeof load>>

/** Limit of wallets, far above what any browser has; more than that is an attack. */
const MOST_WALLETS = 100

const LONGEST_NAME = 100

const METHODS = ['request', 'getAccountAddresses', 'signMessage', 'sendTransfer', 'signPSBT', 'switchNetwork'] as const

/** Name of Leather's object in the page, under which it also registers itself. */
const LEATHER = 'LeatherProvider'

export interface BitcoinAdapterOptions {
  /** Source of unspent outputs, from which balances are summed. Without it no balance is shown. */
  readonly api?: UtxoSource
  /** Wallets of the Wallet Standard that the host adds, besides those that register themselves in the page. */
  readonly wallets?: readonly StandardWallet[]
}

/** How a wallet was found. */
type Found = 'standard' | 'registered' | 'object'

/** Connects Bitcoin wallets: those of the Wallet Standard, of sats-connect (`window.btc_providers`), Leather, UniSat, OKX, Bitget and Binance. */
export class BitcoinAdapter implements ChainAdapter {
  readonly namespace = 'bip122'
  readonly adapterType = 'bitcoin'
  readonly #api: UtxoSource | undefined
  readonly #given: readonly StandardWallet[]
  /** Wallets by the object that is asked. */
  readonly #known = new Map<unknown, ExternalWallet & { readonly found: Found }>()
  /** Ids that were given out; none is given to a second wallet, also after the first one left. */
  readonly #ids = new Set<string>()
  readonly #listeners = new Set<() => void>()
  #network: () => string | undefined = () => undefined
  #address: () => string | undefined = () => undefined
  #looked = false
  #telling = false

  constructor({ api, wallets = [] }: BitcoinAdapterOptions = {}) {
    this.#api = api
    this.#given = wallets
  }

  get connectors(): readonly ExternalWallet[] {
    if (typeof window !== 'undefined') this.#look()
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
    fetchAhead('bitcoin:', load)
  }

  /** Looks for wallets whenever the list is wanted: only those of the Wallet Standard tell that they came later. */
  #look(): void {
    if (!this.#looked) {
      for (const wallet of this.#given) this.#addStandard(wallet)
      followWallets({
        added: (wallet) => {
          if (this.#addStandard(wallet) && this.#looked) this.#changed()
        },
        removed: (wallet) => {
          if (this.#known.delete(wallet)) this.#changed()
        }
      })
      this.#looked = true
    }
    const page: unknown = window
    for (const described of safely(() => [...list(field(page, 'btc_providers'))]) ?? [])
      this.#addRegistered(page, described)
    this.#addObject(page, 'Leather', LEATHER, ({ LeatherWay }, object) => new LeatherWay(object))
    this.#addObject(page, 'Bitget Wallet', 'bitkeep.unisat', mainAlone)
    this.#addObject(
      page,
      'Binance Wallet',
      'binancew3w.bitcoin',
      ({ UnisatWay, BY_NETWORK }, object) => new UnisatWay(object, BY_NETWORK)
    )
    // Bitget and Binance may also stand in UniSat's place; each is listed under its own name alone.
    if (!['isBinance', 'isBitKeep'].some((poses) => safely(() => objectAt(page, `unisat.${poses}`)) === true))
      this.#addObject(page, 'UniSat', 'unisat', ({ UnisatWay, BY_CHAIN }, object) => new UnisatWay(object, BY_CHAIN))
    this.#addObject(page, 'OKX Wallet', 'okxwallet.bitcoin', mainAlone)
  }

  #addStandard(wallet: StandardWallet): boolean {
    return (
      safely(() => {
        if (!servesBitcoin(wallet)) return false
        const provider = field(field(wallet.features, 'sats-connect:'), 'provider')
        const asks = field(provider, 'request') !== undefined
        return this.#add('standard', wallet, wallet.name, wallet.icon, ({ SatsConnectWay, StandardWay }) =>
          asks ? new SatsConnectWay(provider) : new StandardWay(wallet)
        )
      }) ?? false
    )
  }

  /** A wallet that registered itself by WBIP-004, with the path to its object in the page as its id. */
  #addRegistered(page: unknown, described: unknown): void {
    safely(() => {
      const [id, name, icon] = ['id', 'name', 'icon'].map((one) => field(described, one))
      if (typeof id !== 'string' || id.length > LONGEST_NAME) return
      const object = objectAt(page, id)
      if (typeof field(object, 'request') !== 'function') return
      this.#add('registered', object, name, icon, ({ LeatherWay, SatsConnectWay }) =>
        id === LEATHER ? new LeatherWay(object) : new SatsConnectWay(object)
      )
    })
  }

  #addObject(page: unknown, name: string, path: string, way: (code: Code, object: unknown) => Way): void {
    safely(() => {
      const object = objectAt(page, path)
      if (typeof object === 'object' && object !== null)
        this.#add('object', object, name, undefined, (code) => way(code, object))
    })
  }

  #add(found: Found, object: unknown, name: unknown, icon: unknown, way: (code: Code) => Way): boolean {
    if (this.#known.has(object) || this.#ids.size >= MOST_WALLETS) return false
    // Most wallets can be found in several ways, and the visitor chooses between wallets: the first way counts.
    const again = [...this.#known.values()].some(
      (one) => one.name === name && (one.found !== found || found === 'object')
    )
    if (again) return false
    if (typeof name !== 'string' || name === '' || name.length > LONGEST_NAME) return false
    const id = this.#free(`bitcoin:${name}`)
    this.#ids.add(id)
    const provider = lateProvider<Provider>(name, METHODS, async () => {
      const code = await load()
      return new code.BitcoinProvider(
        name,
        way(code),
        () => this.#network(),
        this.#api,
        () => this.#address()
      )
    })
    const imageUrl = typeof icon === 'string' ? { imageUrl: icon } : {}
    this.#known.set(object, { id, name, ...imageUrl, provider, installed: true, found })
    return true
  }

  /** Id of a wallet: its name, which another wallet may have taken. No id of an EVM wallet has a colon. */
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

/** Whether a wallet serves Bitcoin: by a chain that it names, and by a connection that it offers. */
function servesBitcoin({ chains, features }: StandardWallet): boolean {
  return (
    chains.some((chain) => chain.startsWith('bitcoin:')) &&
    ('bitcoin:connect' in features || 'standard:connect' in features)
  )
}

const mainAlone = ({ UnisatWay, MAIN_ALONE }: Code, object: unknown) => new UnisatWay(object, MAIN_ALONE)

/** Object at a path of names in the page, such as `XverseProviders.BitcoinProvider`. */
function objectAt(page: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((object, name) => field(object, name), page)
}

/** Result of a function that reads what a wallet put into the page; `undefined` if that throws. */
function safely<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
