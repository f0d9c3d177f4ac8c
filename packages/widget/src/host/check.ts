//! Check of the options' names and values, for the page's developer: TypeScript sees a misspelt option, a page in plain JavaScript doesn't. The
//! file is fetched on the developer's own machine alone.

import type { ConnectMethod, ConnectorGroup, Social, WalletFeature } from '../generated/core.ts'
import type { labels } from '../text/labels.ts'
import { faultsOfSiwe } from './checkSiwe.ts'
import { anyOf, type Kind, listed, misnamed, misvalued, objectOf, withoutMethods } from './faults.ts'
import type { CreateAppKit, Features, NotYet, SwapContractOption } from './options.ts'

const features: Readonly<Record<keyof Features, Kind>> = {
  swaps: 'boolean',
  onramp: 'boolean',
  receive: 'boolean',
  send: 'boolean',
  email: 'boolean',
  emailShowWallets: 'boolean',
  history: 'boolean',
  analytics: 'boolean',
  allWallets: 'boolean',
  legalCheckbox: 'boolean',
  smartSessions: 'boolean',
  collapseWallets: 'boolean',
  multiWallet: 'boolean',
  headless: 'boolean',
  socials: 'any',
  connectorTypeOrder: 'list',
  connectMethodsOrder: 'list',
  walletFeaturesOrder: 'list'
}

const withoutEffect: Readonly<Record<keyof NotYet, true>> = {
  tokens: true,
  enableCoinbase: true,
  coinbasePreference: true,
  enableWalletGuide: true,
  showWallets: true
}

const options: Readonly<Record<Exclude<keyof CreateAppKit, keyof NotYet>, Kind>> = {
  projectId: 'any',
  networks: 'any',
  adapters: 'any',
  connectors: 'list',
  defaultNetwork: 'any',
  metadata: 'object',
  themeMode: ['dark', 'light'],
  themeVariables: 'object',
  features: 'object',
  siwx: 'object',
  siweConfig: 'object',
  endpoints: 'any',
  embeddedWallet: 'any',
  customRpcUrls: 'any',
  ensChain: 'any',
  swapContracts: 'object',
  excludeWalletIds: 'list',
  chainImages: 'object',
  connectorImages: 'object',
  defaultAccountTypes: 'object',
  locale: 'string',
  messages: 'object',
  nonce: 'string',
  headless: 'boolean',
  preload: ['intent', 'idle', 'none'],
  termsConditionsUrl: 'string',
  privacyPolicyUrl: 'string',
  wasmUrl: 'any',
  disableAppend: 'boolean',
  enableEmbedded: 'boolean',
  enableWallets: 'boolean',
  enableEIP6963: 'boolean',
  enableInjected: 'boolean',
  enableReconnect: 'boolean',
  enableNetworkSwitch: 'boolean',
  allowUnsupportedChain: 'boolean',
  enableAuthLogger: 'boolean',
  clientId: 'string',
  debug: 'boolean',
  logLevel: ['error', 'silent'],
  allWallets: ['SHOW', 'HIDE', 'ONLY_MOBILE'],
  featuredWalletIds: 'list',
  includeWalletIds: 'list',
  customWallets: 'list',
  relays: 'any',
  enableWalletConnect: 'boolean',
  experimental_preferUniversalLinks: 'boolean',
  universalProviderConfigOverride: 'object',
  universalProvider: 'object',
  basic: 'boolean',
  manualWCControl: 'boolean'
}

/** One sentence for each option that has no effect because of its name or its value. */
export function faultsOf(given: object): string[] {
  const own = given as Partial<CreateAppKit>
  return [
    ...misnamed(given, { ...options, ...withoutEffect, sdkType: true, sdkVersion: true }, ''),
    ...misnamed(objectOf(own.features), features, 'features.'),
    ...(Object.keys(withoutEffect) as (keyof NotYet)[])
      .filter((name) => own[name] !== undefined)
      .map((name) => `${name}: has no effect yet.`),
    ...misvalued(given, options, ''),
    ...misvalued(objectOf(own.features), features, 'features.'),
    ...untranslated(own.locale),
    ...entries(own.connectors, faultOf('connectors')),
    ...entries(own.adapters, uncreated),
    ...entries(own.adapters, (adapter, index) =>
      entries(objectOf(adapter).connectors, faultOf(`adapters[${index}].connectors`))
    ),
    ...entries(own.customWallets, lacking('customWallets', ['id', 'name'], "isn't listed")),
    ...entries(objectOf(own.features).socials, (social) =>
      socials.has(social) ? [] : [`features.socials: there is no service ${String(social)}.`]
    ),
    ...(['connectorTypeOrder', 'connectMethodsOrder', 'walletFeaturesOrder'] as const).flatMap((order) =>
      entries(objectOf(own.features)[order], (one) => unordered(order, one))
    ),
    ...misvalued(objectOf(own.metadata), metadata, 'metadata.'),
    ...unpictured('chainImages', own.chainImages),
    ...unpictured('connectorImages', own.connectorImages),
    ...unthemed(objectOf(own.themeVariables)),
    ...contracts(objectOf(own.swapContracts)),
    ...entries(own.networks, (network, index) => named(`networks[${index}]`, network)),
    ...(own.defaultNetwork ? named('defaultNetwork', own.defaultNetwork) : []),
    ...unserved(own),
    ...idle(own),
    ...(own.siwx ? withoutMethods('siwx', own.siwx, sessionMethods) : []),
    ...(own.siweConfig ? faultsOfSiwe(objectOf(own.siweConfig)) : [])
  ]
}

const socials: ReadonlySet<unknown> = new Set<Social>([
  'google',
  'x',
  'discord',
  'farcaster',
  'github',
  'apple',
  'facebook',
  'openid'
])

const metadata: Readonly<Record<string, Kind>> = {
  name: 'string',
  description: 'string',
  url: 'string',
  icons: 'list'
}

type Order = 'connectorTypeOrder' | 'connectMethodsOrder' | 'walletFeaturesOrder'

const orders: Readonly<Record<Order, readonly (ConnectorGroup | ConnectMethod | WalletFeature)[]>> = {
  connectorTypeOrder: ['walletConnect', 'recent', 'injected', 'featured', 'custom', 'external', 'recommended'],
  connectMethodsOrder: ['email', 'social', 'wallet'],
  walletFeaturesOrder: ['onramp', 'swaps', 'receive', 'send']
}

/** Values of a property of CSS, in words. */
const kinds: Readonly<Record<string, string>> = {
  color: 'color',
  width: 'length, such as 10px',
  opacity: 'number',
  'z-index': 'whole number',
  'font-family': 'list of fonts'
}

/** Variables that a style sheet of the widget reads, after the prefix, each with a property of CSS that takes its values. */
const variables: Readonly<Record<string, string>> = {
  accent: 'color',
  'color-mix': 'color',
  'color-mix-strength': 'opacity',
  'font-family': 'font-family',
  'font-size-master': 'width',
  'border-radius-master': 'width',
  'qr-color': 'color',
  'z-index': 'z-index'
}

const protocols: ReadonlySet<unknown> = new Set<SwapContractOption['protocol']>([
  'wrapped-coin',
  'uniswap-v2',
  'uniswap-swap-router',
  'uniswap-swap-router-02',
  'uniswap-universal-router',
  'lifi',
  '0x-allowance-holder',
  '1inch'
])

const sessionMethods = ['createMessage', 'addSession', 'setSessions', 'getSessions', 'revokeSession']

/** Adapter of the package for each namespace. */
const adapters: Readonly<Record<string, string>> = {
  eip155: 'EthersAdapter',
  solana: 'SolanaAdapter',
  bip122: 'BitcoinAdapter',
  polkadot: 'PolkadotAdapter'
}

/** Names and numbers of networks are taken for networks; the core reports an object that is none. */
function named(option: string, network: unknown): string[] {
  if (typeof network === 'object') return []
  const [example, given] = typeof network === 'string' ? [network, `'${network}'`] : ['mainnet', String(network)]
  return [`${option}: import { ${example} } from '@portico/widget/networks' and use it instead of ${given}.`]
}

/** Namespace of a network, as the core reads it; `undefined` for what is no network. */
function namespaceOf(network: unknown): string | undefined {
  const { id, chainNamespace, caipNetworkId } = objectOf(network)
  if (typeof caipNetworkId === 'string') return caipNetworkId.split(':')[0]
  return id === undefined ? undefined : String(chainNamespace ?? 'eip155')
}

/** Adapters are classes: one without `new` connects nothing. */
function uncreated(adapter: unknown, index: number): string[] {
  if (typeof adapter !== 'function') return []
  const name = adapters[builtNamespace(adapter)] ?? adapter.name
  return [`adapters[${index}]: pass new ${name}(), not the class.`]
}

/** Namespace of an adapter's class. Only that tells which one it is: names are short in a packed page. */
function builtNamespace(adapter: unknown): string {
  try {
    return String(objectOf(Reflect.construct(adapter as new () => unknown, [])).namespace)
  } catch {
    return ''
  }
}

/** Networks without an adapter. Remote wallets, the embedded wallet and the host's own wallets need none. */
function unserved({ networks, adapters: given, connectors, relays, embeddedWallet }: Partial<CreateAppKit>): string[] {
  if (connectors || relays || embeddedWallet || !isFilled(given)) return []
  if (given.some((adapter) => typeof adapter === 'function')) return []
  const served = new Set<unknown>(given.map((adapter) => objectOf(adapter).namespace))
  return entries(networks, (network, index) => {
    const namespace = namespaceOf(network)
    if (namespace === undefined || served.has(namespace)) return []
    // One sentence is enough for all networks of a namespace.
    served.add(namespace)
    const add = adapters[namespace] ? ` Add ${adapters[namespace]} to adapters.` : ''
    return [`networks[${index}]: no adapter connects wallets of ${namespace}.${add}`]
  })
}

/** Adapters without a network. */
function idle({ networks, adapters: given }: Partial<CreateAppKit>): string[] {
  const known = new Set(isFilled(networks) ? networks.map(namespaceOf) : [])
  if (known.size === 0 || known.has(undefined)) return []
  return entries(given, (adapter, index) => {
    const { namespace } = objectOf(adapter)
    if (typeof namespace !== 'string' || known.has(namespace)) return []
    return [`adapters[${index}]: there is no ${namespace} network in networks. Add one, or remove the adapter.`]
  })
}

/** Languages of the modal. */
const locales: Readonly<Record<'en' | keyof typeof labels, true>> = { en: true, ar: true }

/** A locale in a language that the modal doesn't speak. */
function untranslated(locale: unknown): string[] {
  if (typeof locale !== 'string' || locale === '') return []
  const code = locale.toLowerCase().split('-', 1)[0] ?? ''
  if (Object.hasOwn(locales, code)) return []
  return [`locale: there is no '${locale}', so the modal is in English. Use ${anyOf(Object.keys(locales))}.`]
}

function isFilled<One>(list: readonly One[] | undefined): list is readonly One[] {
  return Array.isArray(list) && list.length > 0
}

function unordered(order: Order, one: unknown): string[] {
  const known: readonly unknown[] = orders[order]
  return known.includes(one) ? [] : [`features.${order}: there is no '${String(one)}'. Use ${anyOf(orders[order])}.`]
}

function unpictured(option: string, given: unknown): string[] {
  return Object.entries(objectOf(given)).flatMap(([id, url]) =>
    typeof url === 'string' ? [] : [`${option}['${id}']: use the URL of an image.`]
  )
}

function unthemed(given: object): string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const property = variables[name.replace(/^--(apkt|w3m)-/, '')]
    if (property === undefined) return [`themeVariables['${name}']: there is no such variable.`]
    if (value === undefined || globalThis.CSS?.supports?.(property, String(value)) !== false) return []
    return [`themeVariables['${name}']: ${String(value)} isn't a ${kinds[property]}.`]
  })
}

function contracts(given: object): string[] {
  return Object.entries(given).flatMap(([chain, list]) =>
    entries(list, (one) => {
      const { protocol } = objectOf(one)
      return protocols.has(protocol) ? [] : [`swapContracts['${chain}']: there is no protocol ${String(protocol)}.`]
    })
  )
}

function entries(list: unknown, faults: (one: unknown, index: number) => string[]): string[] {
  return Array.isArray(list) ? list.flatMap(faults) : []
}

/** One sentence for each own text that no view shows. A translation has all keys, and is a file of its own in any build. */
async function unread(messages: unknown): Promise<string[]> {
  if (!messages) return []
  // biome-ignore lint/style/noRestrictedImports: no visitor loads this file, and no page before the click
  const { arabic } = await import('../text/ar.ts')
  return misnamed(objectOf(messages), arabic.words, 'messages.', 'text')
}

/** Tells the developer of each fault, in one message. */
export async function checkOptions(given: object, log: (...what: readonly unknown[]) => void): Promise<void> {
  const faults = [...faultsOf(given), ...(await unread((given as Partial<CreateAppKit>).messages))]
  if (faults.length > 0) log(`Options of createAppKit:\n${faults.map((fault) => `- ${fault}`).join('\n')}`)
}

const faultOf = (name: string) => lacking(name, ['id', 'name', 'provider'], "isn't offered")

function lacking(name: string, fields: readonly string[], so: string): (one: unknown, index: number) => string[] {
  return (one, index) => {
    const missing = fields.filter((field) => !objectOf(one)[field])
    return missing.length > 0 ? [`${name}[${index}]: has no ${listed(missing, 'or')}, so it ${so}.`] : []
  }
}
