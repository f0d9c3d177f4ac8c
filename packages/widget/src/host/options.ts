//! Options of a host. Types only: the core validates the values and reports a wrong one in an alert.

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
import type { SIWEConfig, SIWXConfig } from './siwx.ts'

/** CAIP-2 namespace that the widget supports (spec 1.3). */
export type ChainNamespace = Namespace

export type ThemeMode = 'dark' | 'light'

/** Theme variables such as `--apkt-accent` and `--w3m-border-radius-master`. If both prefixes set the same name, `--apkt-` wins. */
export type ThemeVariables = { readonly [name in `--apkt-${string}` | `--w3m-${string}`]?: string | number }

/** A viem chain or a CAIP network (spec 3.7). Without `chainNamespace` it is an EVM chain. */
export interface AppKitNetwork {
  /** Chain number of an EVM chain, else the CAIP-2 reference. */
  readonly id: number | string
  readonly name: string
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  /** RPC URLs: at least one http address under `default`. */
  readonly rpcUrls: {
    readonly default: { readonly http: readonly string[] }
    readonly chainDefault?: { readonly http: readonly string[] } | undefined
    readonly [name: string]: { readonly http: readonly string[] } | undefined
  }
  readonly blockExplorers?: { readonly [name: string]: { readonly name: string; readonly url: string } } | undefined
  /** Test networks get no identity lookup (spec 4.40). */
  readonly testnet?: boolean | undefined
  readonly network?: string | undefined
  readonly chainNamespace?: ChainNamespace | undefined
  /** CAIP-2 id, as in `eip155:1`. */
  readonly caipNetworkId?: string | undefined
  readonly assets?: { readonly imageId?: string | undefined; readonly imageUrl?: string | undefined } | undefined
  readonly deprecatedCaipNetworkId?: string | undefined
  /** Factor by which the base fee may rise before a transaction is mined: a number of at least 1, by default 1.2 (spec 5.33). */
  readonly fees?: { readonly baseFeeMultiplier?: unknown } | undefined
}

/** Network as the widget returns it: the host's own object with its CAIP-2 id and namespace. */
export type CaipNetwork = AppKitNetwork & { readonly chainNamespace: ChainNamespace; readonly caipNetworkId: string }

export interface Metadata {
  readonly name: string
  readonly description?: string
  readonly url: string
  readonly icons?: readonly string[]
}

/** Features of the widget (spec 6.4 to 6.8). */
export interface Features
  extends Partial<
    Omit<CoreFeatures, 'socials' | 'connectorTypeOrder' | 'connectMethodsOrder' | 'walletFeaturesOrder'>
  > {
  /**
   * Default: google, x, discord, farcaster, github, apple, facebook (spec 6.7). `openid` is the OpenID provider of the server. Shown are those
   * that the server has.
   */
  readonly socials?: readonly Social[] | false
  /** Default: walletConnect, recent, injected, featured, custom, external, recommended (spec 2.15). */
  readonly connectorTypeOrder?: readonly ConnectorGroup[]
  /** Default: email, social, wallet; the wallet first where one is installed (spec 2.14). */
  readonly connectMethodsOrder?: readonly ConnectMethod[]
  /** Default: onramp, swaps, receive, send (spec 6.8). */
  readonly walletFeaturesOrder?: readonly WalletFeature[]
  /** Same as the option `headless`. */
  readonly headless?: boolean
}

/** Wallet in the format of WalletConnect's directory. */
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

/** Wallets of the directory to list. An id is the one of the server's directory (mostly the rdns), an rdns, or a name. */
export interface WalletLists {
  /** The entry "All Wallets". Default `SHOW`. */
  readonly allWallets?: 'SHOW' | 'HIDE' | 'ONLY_MOBILE'
  /** Wallets of the directory to list first, in this order. */
  readonly featuredWalletIds?: readonly string[]
  /** Lists only these wallets of the directory. */
  readonly includeWalletIds?: readonly string[]
  /** Your own wallets with their download links; a wallet with a provider goes into `connectors`. */
  readonly customWallets?: readonly CustomWallet[]
}

/** Wallets on another device, or in another app (WalletConnect). */
export interface RemoteWallets {
  /**
   * WalletConnect relays; each pairing is offered on all of them. Without relays WalletConnect is off. A relay without its own `projectId`
   * gets the one of the host.
   */
  readonly relays?: readonly { readonly relayUrl: string; readonly projectId?: string }[]
  /** Whether to offer remote wallets. Default `true`, if there are relays. */
  readonly enableWalletConnect?: boolean
  /** Open a wallet by its universal link instead of its own scheme. Default `false`. */
  readonly experimental_preferUniversalLinks?: boolean
  /** Session request by namespace, instead of every network and method. */
  readonly universalProviderConfigOverride?: {
    readonly methods?: Readonly<Record<string, readonly string[]>>
    readonly chains?: Readonly<Record<string, readonly string[]>>
    readonly events?: Readonly<Record<string, readonly string[]>>
    /** RPC URLs by CAIP-2 id that a session's provider reads from first. */
    readonly rpcMap?: Readonly<Record<string, string>>
    /** No effect: a session starts on the active network. */
    readonly defaultChain?: string
  }
  /** Your own WalletConnect provider, which `getUniversalProvider()` then returns. The modal itself pairs over `relays`, without it. */
  readonly universalProvider?: object
  /** Show only the QR code and the wallets that can scan it. Default `false`. */
  readonly basic?: boolean
  /** The host pairs by itself, and opens the modal with the `uri`. Default `false`. */
  readonly manualWCControl?: boolean
}

/** Options of AppKit 1.7 that are accepted without effect, because the widget lacks their feature. */
export interface NotYet {
  /** Tokens by CAIP-2 id whose balance replaces that of the native coin. No effect yet. */
  readonly tokens?: Readonly<Record<string, { readonly address: string; readonly image?: string }>>
  /** Coinbase Wallet by its own SDK. No effect yet; its extension announces itself. */
  readonly enableCoinbase?: boolean
  /** Kind of wallet that this SDK offers. No effect yet. */
  readonly coinbasePreference?: 'all' | 'smartWalletOnly' | 'eoaOnly'
  /** Guide below e-mail and social login. No effect yet. */
  readonly enableWalletGuide?: boolean
  /** Legacy option. No effect yet. */
  readonly showWallets?: boolean
}

/** Contract that swaps may call. */
export interface SwapContractOption {
  readonly protocol:
    | 'wrapped-coin'
    | 'uniswap-v2'
    | 'uniswap-swap-router'
    | 'uniswap-swap-router-02'
    | 'uniswap-universal-router'
    | 'lifi'
    | '0x-allowance-holder'
    | '1inch'
  readonly address: string
}

/** Options of `createAppKit`. */
export interface CreateAppKit extends NotYet, RemoteWallets, WalletLists {
  /**
   * Project id: 1 to 64 letters, digits, hyphens or underscores (spec 1.5). Browser wallets work without it, requests to the server do not.
   */
  readonly projectId: string
  /** At least one network. The first is active until the visitor chooses another, unless `defaultNetwork` is set. */
  readonly networks: readonly [AppKitNetwork, ...AppKitNetwork[]]
  /** One adapter per namespace whose wallets can connect. */
  readonly adapters?: readonly ChainAdapter[]
  /** Wallets that the host adds, besides those of the adapters. */
  readonly connectors?: readonly ExternalWallet[]
  /** Network that is active until the visitor chooses another. */
  readonly defaultNetwork?: AppKitNetwork
  /** Name, icons and address of the page that remote wallets show. */
  readonly metadata?: Metadata
  /** Default `dark` (spec 1.6). */
  readonly themeMode?: ThemeMode
  readonly themeVariables?: ThemeVariables
  readonly features?: Features
  /** Sign-in with a wallet. EVM accounts are asked to sign in; others are not yet. Together with `siweConfig` it throws at once (spec 1.5, 8.34). */
  readonly siwx?: SIWXConfig
  /** Sign-in for EVM wallets. Together with `siwx` it throws at once (spec 1.5, 8.34). */
  readonly siweConfig?: SIWEConfig
  /** Base URL of your own server, or a path on this origin; without it the widget uses no server. */
  readonly endpoints?: string | { readonly base: string }
  /**
   * Embedded wallet: base address of its own origin (`https://wallet.example.org`), which is not that of `endpoints`. With it the visitor can
   * log in by e-mail and at other services; without it `features.email` and `features.socials` have no effect. `frameIntegrity` is the hash of
   * the only build of the frame that this page opens, 64 hexadecimal digits as the build prints them.
   */
  readonly embeddedWallet?: { readonly url: string; readonly frameIntegrity?: string }
  /** RPC URLs by CAIP-2 id, tried before all others. `config`, which AppKit passes to viem, has no effect. */
  readonly customRpcUrls?: Readonly<Record<string, readonly { readonly url: string; readonly config?: object }[]>>
  /**
   * CAIP-2 id of the chain on which names are resolved, Ethereum (`eip155:1`) by default. It needs a node of the network or in
   * `customRpcUrls`: the page's own server is not believed alone about the address of a name.
   */
  readonly ensChain?: string
  /**
   * Contracts that swaps may call on your own chains, by CAIP-2 id, beside those that the widget knows. The server cannot add one: a
   * swap through any other contract is refused before a wallet sees it.
   */
  readonly swapContracts?: Readonly<Record<string, readonly SwapContractOption[]>>
  /** Wallets to hide, by id, rdns or name (spec 5.23). */
  readonly excludeWalletIds?: readonly string[]
  /** Images of networks by chain id or CAIP-2 id; they replace the networks' own. */
  readonly chainImages?: Readonly<Record<string | number, string>>
  /** Images of wallets by connector id or rdns; they replace the announced ones. */
  readonly connectorImages?: Readonly<Record<string, string>>
  /** Preferred kind of account. Default: smartAccount, eoa on Solana and Polkadot, payment on Bitcoin (spec 3.6). */
  readonly defaultAccountTypes?: { readonly [namespace in ChainNamespace]?: AccountKind }
  /** Language of the modal (BCP 47), as in `ar-EG`. Default: the page's language, the `lang` of its `<html>`. */
  readonly locale?: string
  /** Your own texts for the modal, by the keys of this type. `{0}` is replaced with a value at run time. */
  readonly messages?: { readonly [key in AnyKey]?: string }
  /** Not needed: style sheets are constructed and scripts are modules. The CSP only needs `wasm-unsafe-eval`. */
  readonly nonce?: string
  /**
   * No interface: `open()` draws nothing, and `connect()` needs a `connectorId`. State, calls and hooks work; the event `display_uri` of
   * `getUniversalProvider()` has the pairing URI of a remote wallet. Default `false`.
   */
  readonly headless?: boolean
  /**
   * Time to fetch the modal's code: at the first sign that the visitor will open it (`intent`: pointer or focus on a button), when the page
   * has loaded and is idle (`idle`; like `intent` with data saver on or a 2G connection), or with the click (`none`). Default `intent`.
   */
  readonly preload?: 'intent' | 'idle' | 'none'
  readonly termsConditionsUrl?: string
  readonly privacyPolicyUrl?: string
  /** Address of the WebAssembly module. Default: beside the package's own files, where bundlers find it. */
  readonly wasmUrl?: string | URL
  /** Do not append `<w3m-modal>` to the body: the page already has one. Default `false`. */
  readonly disableAppend?: boolean
  /** Show the modal inline in the page's `<w3m-modal>`, which may be mounted late, instead of over the page. Default `false`. */
  readonly enableEmbedded?: boolean
  /** Show the wallet group. Default `true`. */
  readonly enableWallets?: boolean
  /** List wallets that announce themselves (EIP-6963). Default `true`. */
  readonly enableEIP6963?: boolean
  /** List the wallet of `window.ethereum`. Default `true`. */
  readonly enableInjected?: boolean
  /** Reconnect the wallet after a reload. Default `true`. */
  readonly enableReconnect?: boolean
  /** Let the visitor switch networks in the modal. Default `true`. */
  readonly enableNetworkSwitch?: boolean
  /** Never force the UnsupportedChain view (spec 2.24). Default `false`. */
  readonly allowUnsupportedChain?: boolean
  /** Console output of the embedded wallet's frame. Default `true`. */
  readonly enableAuthLogger?: boolean
  /** Client id that each request to your server (`endpoints`) has as `clientId` (spec 7.9). */
  readonly clientId?: string | null
  /** Show alerts in the modal. Default `true`. */
  readonly debug?: boolean
  /** Console output: mistakes of the page and alerts (`error`), or nothing (`silent`). Default `error` (spec 9.15). */
  readonly logLevel?: 'error' | 'silent'
}

/** Options that are read only once, when the page or the core is made. */
type Lasting =
  | 'networks'
  | 'chainImages'
  | 'adapters'
  | 'defaultNetwork'
  | 'siwx'
  | 'siweConfig'
  | 'wasmUrl'
  | 'endpoints'
  | 'embeddedWallet'
  | 'relays'
  | 'basic'
  | 'disableAppend'
  | 'enableEmbedded'
  | 'enableReconnect'
  | 'headless'
  | 'locale'
  | 'messages'
  | 'preload'

/** Options that `updateOptions` accepts. */
export type UpdateOptions = Partial<Omit<CreateAppKit, Lasting>>

/** Views that a host may open. A view that is not implemented yet shows a notice. */
export type OpenView = (typeof openViews)[number]

/** Initial values of the send form. */
export interface SendArguments {
  /** Amount in whole coins, as text or number: `'0.1'`. Without it the visitor enters one. */
  readonly amount?: string | number
  /** Address or name of the receiver. Without it the visitor enters one. */
  readonly to?: string
  /** Contract address of the token, alone or as CAIP-10. Default: the native coin. */
  readonly assetAddress?: string
  readonly namespace?: ChainNamespace
  /** Chain number or CAIP-2 id; it must be the active network. */
  readonly chainId?: string | number
}

/** Initial values of the swap form. */
export interface SwapArguments {
  /** Amount in whole coins, as text or number: `'0.1'`. */
  readonly amount?: string | number
  /** Token to pay with: its symbol, or its contract address, alone or as CAIP-10. */
  readonly fromToken?: string
  /** Token to receive, in the same formats as `fromToken`. */
  readonly toToken?: string
}

export interface OpenOptions {
  /** View to open. Default: Account when connected, else Connect (spec 2.6). */
  readonly view?: OpenView
  /** Namespace to make active first (spec 2.3). */
  readonly namespace?: ChainNamespace
  /** WalletConnect pairing URI (spec 2.3). */
  readonly uri?: string
  /** Initial form values. With `view: 'WalletSend'` the call resolves with the hash; with `view: 'Swap'` it only fills in the form. */
  readonly arguments?: SendArguments | SwapArguments
}
