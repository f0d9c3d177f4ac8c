//! What a host may say at the start. Only types: what is wrong with a value is said by the core, in an alert.

import type { ChainAdapter, ExternalWallet } from '../adapters/adapter.ts'
import type { openViews } from '../generated/constants.ts'
import type {
  AccountKind,
  ConnectMethod,
  ConnectorGroup,
  Features as CoreFeatures,
  Namespace,
  Social,
  WalletFeature
} from '../generated/core.ts'
import type { AnyKey } from '../text/keys.ts'

/** A CAIP-2 namespace that the widget knows (spec 1.3). */
export type ChainNamespace = Namespace

export type ThemeMode = 'dark' | 'light'

/** `--apkt-accent`, `--w3m-border-radius-master` and their like. Of two with one name the `--apkt-` one wins. */
export type ThemeVariables = { readonly [name in `--apkt-${string}` | `--w3m-${string}`]?: string | number }

/** A viem-style chain or a CAIP network (spec 3.7). Without `chainNamespace` it is an EVM chain. */
export interface AppKitNetwork {
  /** The number of an EVM chain, else the CAIP-2 reference. */
  readonly id: number | string
  readonly name: string
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  /** At least one http address under `default`. */
  readonly rpcUrls: {
    readonly default: { readonly http: readonly string[] }
    readonly chainDefault?: { readonly http: readonly string[] } | undefined
    readonly [name: string]: { readonly http: readonly string[] } | undefined
  }
  readonly blockExplorers?: { readonly [name: string]: { readonly name: string; readonly url: string } } | undefined
  /** No identity is looked up on a test network (spec 4.40). */
  readonly testnet?: boolean | undefined
  readonly network?: string | undefined
  readonly chainNamespace?: ChainNamespace | undefined
  /** CAIP-2, as in `eip155:1`. */
  readonly caipNetworkId?: string | undefined
  readonly assets?: { readonly imageId?: string | undefined; readonly imageUrl?: string | undefined } | undefined
  readonly deprecatedCaipNetworkId?: string | undefined
}

/** A network as the widget hands it out: the host's own object with its CAIP-2 id and namespace. */
export type CaipNetwork = AppKitNetwork & { readonly chainNamespace: ChainNamespace; readonly caipNetworkId: string }

export interface Metadata {
  readonly name: string
  readonly description?: string
  readonly url: string
  readonly icons?: readonly string[]
}

/** Which parts are on (spec 6.4 to 6.8). */
export interface Features
  extends Partial<
    Omit<CoreFeatures, 'socials' | 'connectorTypeOrder' | 'connectMethodsOrder' | 'walletFeaturesOrder'>
  > {
  /** Default: google, x, discord, farcaster, github, apple, facebook (spec 6.7). */
  readonly socials?: readonly Social[] | false
  /** Default: walletConnect, recent, injected, featured, custom, external, recommended (spec 2.15). */
  readonly connectorTypeOrder?: readonly ConnectorGroup[]
  /** Default: email, social, wallet; the wallet first where one is installed (spec 2.14). */
  readonly connectMethodsOrder?: readonly ConnectMethod[]
  /** Default: onramp, swaps, receive, send (spec 6.8). */
  readonly walletFeaturesOrder?: readonly WalletFeature[]
  /** The same as the option of this name. */
  readonly headless?: boolean
}

/** Sign-in with a wallet, for every namespace. The widget asks only whether it is required (spec 6.3). */
export interface SIWXConfig {
  getRequired?(): boolean
}

/** Sign-in with an EVM wallet. */
export interface SIWEConfig {
  /** Default `true` (spec 6.3). */
  readonly required?: boolean
  readonly options?: { readonly required?: boolean }
}

/** A wallet in the form of WalletConnect's directory. */
export interface CustomWallet {
  readonly id: string
  readonly name: string
  readonly homepage?: string
  readonly image_url?: string
  readonly mobile_link?: string
  readonly desktop_link?: string
  readonly webapp_link?: string
  readonly app_store?: string
  readonly play_store?: string
  readonly chrome_store?: string
}

/** Which wallets of the directory are listed. Ids are those of the server's directory (mostly the rdns), an rdns, or a name. */
export interface WalletLists {
  /** The entry "All Wallets". Default `SHOW`. */
  readonly allWallets?: 'SHOW' | 'HIDE' | 'ONLY_MOBILE'
  /** The wallets of the directory that stand first, in this order. */
  readonly featuredWalletIds?: readonly string[]
  /** The only wallets of the directory that are listed. */
  readonly includeWalletIds?: readonly string[]
  /** Wallets of your own, with where to get them; one with a provider goes into `connectors`. */
  readonly customWallets?: readonly CustomWallet[]
}

/** How wallets are reached that are on another device, or in another app (WalletConnect). */
export interface RemoteWallets {
  /**
   * The relays, in their order: a pairing is offered on all of them. Without any, nothing of WalletConnect is there. A relay without a
   * project of its own is asked in the name of `projectId`.
   */
  readonly relays?: readonly { readonly relayUrl: string; readonly projectId?: string }[]
  /** Whether remote wallets are offered. Default `true`, where there are relays. */
  readonly enableWalletConnect?: boolean
  /** Open a wallet by its universal link rather than by its own scheme. Default `false`. */
  readonly experimental_preferUniversalLinks?: boolean
  /** By namespace, what a session is asked for instead of every network and method. */
  readonly universalProviderConfigOverride?: {
    readonly methods?: Readonly<Record<string, readonly string[]>>
    readonly chains?: Readonly<Record<string, readonly string[]>>
    readonly events?: Readonly<Record<string, readonly string[]>>
    /** By CAIP-2 id, where the provider of a session reads a chain before it asks elsewhere. */
    readonly rpcMap?: Readonly<Record<string, string>>
    /** No effect: a session stands on the network that is in use here. */
    readonly defaultChain?: string
  }
  /** The host's own WalletConnect provider: `getUniversalProvider()` gives it back. The modal itself pairs over `relays`, without it. */
  readonly universalProvider?: object
  /** Nothing but the code and the wallets that take it. Default `false`. */
  readonly basic?: boolean
  /** The host itself pairs, and opens the modal with the `uri`. Default `false`. */
  readonly manualWCControl?: boolean
}

/** Options of AppKit 1.7 that are taken and have no effect yet: what they are about is not there. */
export interface NotYet {
  /** By CAIP-2 id, the token whose balance stands in the place of the network's own. No effect yet. */
  readonly tokens?: Readonly<Record<string, { readonly address: string; readonly image?: string }>>
  /** The wallet of Coinbase by its own kit. No effect yet; its extension announces itself. */
  readonly enableCoinbase?: boolean
  /** Which wallet that kit offers. No effect yet. */
  readonly coinbasePreference?: 'all' | 'smartWalletOnly' | 'eoaOnly'
  /** The guide below e-mail and social login. No effect yet. */
  readonly enableWalletGuide?: boolean
  /** Lines of the embedded wallet in the console. No effect yet. */
  readonly enableAuthLogger?: boolean
  /** Of old. No effect yet. */
  readonly showWallets?: boolean
}

/** The options of `createAppKit`. */
export interface CreateAppKit extends NotYet, RemoteWallets, WalletLists {
  /** 1 to 64 letters, digits, hyphens or underscores (spec 1.5). Browser wallets work without it, what asks the server does not. */
  readonly projectId: string
  /** At least one. The first is active until the visitor chooses, unless `defaultNetwork` says otherwise. */
  readonly networks: readonly [AppKitNetwork, ...AppKitNetwork[]]
  /** One for each namespace whose wallets are to be connected. */
  readonly adapters?: readonly ChainAdapter[]
  /** Wallets that the host brings along, besides those of the adapters. */
  readonly connectors?: readonly ExternalWallet[]
  /** Active until the visitor chooses another. */
  readonly defaultNetwork?: AppKitNetwork
  /** Shown to remote wallets. */
  readonly metadata?: Metadata
  /** Default `dark` (spec 1.6). */
  readonly themeMode?: ThemeMode
  readonly themeVariables?: ThemeVariables
  readonly features?: Features
  /** With `siweConfig` it is refused at once (spec 1.5, 8.34). */
  readonly siwx?: SIWXConfig
  /** With `siwx` it is refused at once (spec 1.5, 8.34). */
  readonly siweConfig?: SIWEConfig
  /** The base address of your own server, or a path on this origin; without it nothing asks a server. */
  readonly endpoints?: string | { readonly base: string }
  /** RPC addresses to ask before all others, by CAIP-2 id. `config`, which AppKit hands to viem, has no effect. */
  readonly customRpcUrls?: Readonly<Record<string, readonly { readonly url: string; readonly config?: object }[]>>
  /** Wallets that are not shown, by id, rdns or name (spec 5.23). */
  readonly excludeWalletIds?: readonly string[]
  /** Pictures of networks by chain id or CAIP-2 id, before those of the networks themselves. */
  readonly chainImages?: Readonly<Record<string | number, string>>
  /** Pictures of wallets by connector id or rdns, before those that they announce. */
  readonly connectorImages?: Readonly<Record<string, string>>
  /** The kind of account that is preferred. Default: smartAccount, eoa on Solana and Polkadot, payment on Bitcoin (spec 3.6). */
  readonly defaultAccountTypes?: { readonly [namespace in ChainNamespace]?: AccountKind }
  /** The modal's language (BCP 47), as in `ar-EG`. Default: the page's own, which is the `lang` of its `<html>`. */
  readonly locale?: string
  /** Own words in the modal in the place of ours, by the keys that this type has. `{0}` stands for what is known only then. */
  readonly messages?: { readonly [key in AnyKey]?: string }
  /** Not needed: style sheets are constructed, scripts are modules. A policy needs no more than `wasm-unsafe-eval`. */
  readonly nonce?: string
  /**
   * No interface: `open()` draws nothing, and `connect()` needs a `connectorId`. State, calls and hooks work; the code of a remote wallet is
   * told by `display_uri` of `getUniversalProvider()`. Default `false`.
   */
  readonly headless?: boolean
  /**
   * When the code of the modal is fetched: at the first sign that the visitor means to open it (`intent`: the pointer or the focus on a
   * button), once the page has loaded and is idle (`idle`; where the visitor saves data or has a 2G line, as `intent`), or with the click
   * (`none`). Default `intent`.
   */
  readonly preload?: 'intent' | 'idle' | 'none'
  readonly termsConditionsUrl?: string
  readonly privacyPolicyUrl?: string
  /** Where the WebAssembly module lies. Default: beside the package's own files, where bundlers find it. */
  readonly wasmUrl?: string | URL
  /** Do not append `<w3m-modal>` to the body: the page has one already. Default `false`. */
  readonly disableAppend?: boolean
  /** Stand inline in `<w3m-modal>` instead of over the page. Default `false`. */
  readonly enableEmbedded?: boolean
  /** The wallet group as a whole. Default `true`. */
  readonly enableWallets?: boolean
  /** Wallets that announce themselves (EIP-6963). Default `true`. */
  readonly enableEIP6963?: boolean
  /** `window.ethereum`. Default `true`. */
  readonly enableInjected?: boolean
  /** Come back to the wallet after a reload. Default `true`. */
  readonly enableReconnect?: boolean
  /** Networks may be switched in the modal. Default `true`. */
  readonly enableNetworkSwitch?: boolean
  /** Never force the UnsupportedChain view (spec 2.24). Default `false`. */
  readonly allowUnsupportedChain?: boolean
  /** The client in whose name your server (`endpoints`) is asked: each request tells it as `clientId` (spec 7.9). */
  readonly clientId?: string | null
  /** Draw alerts in the modal. Default `true`. */
  readonly debug?: boolean
  /** What is written to the console: mistakes of the page and alerts, or nothing. Default `error` (spec 9.15). */
  readonly logLevel?: 'error' | 'silent'
}

/** Read once, when the page or the core is made. */
type Lasting =
  | 'networks'
  | 'chainImages'
  | 'adapters'
  | 'defaultNetwork'
  | 'siwx'
  | 'siweConfig'
  | 'wasmUrl'
  | 'endpoints'
  | 'relays'
  | 'basic'
  | 'disableAppend'
  | 'enableEmbedded'
  | 'enableReconnect'
  | 'headless'
  | 'locale'
  | 'messages'
  | 'preload'

/** What `updateOptions` takes. */
export type UpdateOptions = Partial<Omit<CreateAppKit, Lasting>>

/** The views that a host may open. One that is not built yet shows that it is not. */
export type OpenView = (typeof openViews)[number]

/** What the send form starts with. */
export interface SendArguments {
  /** In whole coins, as text or number: `'0.1'`. Without it the visitor writes one. */
  readonly amount?: string | number
  /** The receiver's address or name. Without it the visitor writes one. */
  readonly to?: string
  /** The address of the token's contract, alone or as CAIP-10. Default: the network's own coin. */
  readonly assetAddress?: string
  readonly namespace?: ChainNamespace
  /** The number of the chain or its CAIP-2 id; it has to be the active one. */
  readonly chainId?: string | number
}

/** What the swap form starts with. */
export interface SwapArguments {
  /** In whole coins, as text or number: `'0.1'`. */
  readonly amount?: string | number
  /** The token to pay with: its symbol, or its contract's address, alone or as CAIP-10. */
  readonly fromToken?: string
  /** The token to get, told in the same ways. */
  readonly toToken?: string
}

export interface OpenOptions {
  /** Default: Account when connected, else Connect (spec 2.6). */
  readonly view?: OpenView
  /** Makes this namespace the active one first (spec 2.3). */
  readonly namespace?: ChainNamespace
  /** A connection uri (spec 2.3). */
  readonly uri?: string
  /** With `view: 'WalletSend'`: fills the form in, and the call resolves with the hash. With `view: 'Swap'`: fills that one in. */
  readonly arguments?: SendArguments | SwapArguments
}
