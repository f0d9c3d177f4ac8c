//! Options of this page, each of which the URL can change: `/?theme=light&networks=31338`.

import { walletIcon } from '@portico/testkit'
import type { CreateAppKit } from '@portico/widget'
import { BitcoinAdapter } from '@portico/widget/bitcoin'
import { EthersAdapter } from '@portico/widget/ethers'
import type { AppKitNetwork } from '@portico/widget/networks'
import { PolkadotAdapter } from '@portico/widget/polkadot'
import { SolanaAdapter } from '@portico/widget/solana'
import {
  anvilOne,
  bitcoinNetworks,
  chainImages,
  networks,
  polkadotNetworks,
  solana,
  solanaAt,
  swapContracts
} from './networks.ts'
import { signIn } from './sign-in.ts'
import { siweAtBackEnd } from './siwe.ts'
import { DEMO_POLKADOT } from './wallets.ts'

/** URL parameters that turn an option off with `=off`. */
const SWITCHES = {
  reconnect: 'enableReconnect',
  switch: 'enableNetworkSwitch',
  eip6963: 'enableEIP6963',
  injected: 'enableInjected',
  debug: 'debug'
} as const

export function optionsFromUrl(url: string): CreateAppKit {
  const parameters = new URL(url).searchParams
  const off = Object.entries(SWITCHES).filter(([name]) => parameters.get(name) === 'off')
  const theme = parameters.get('theme') ?? themeOfSystem()
  const options = {
    // Without an adapter, all networks are available through remote wallets only.
    adapters: parameters.get('adapters') === 'none' ? [] : [new EthersAdapter()],
    networks: networksNamed(parameters.get('networks')),
    ...namespacesOf(parameters),
    projectId: parameters.get('projectId') ?? 'demo',
    // The server of this page also serves the widget's endpoints.
    endpoints: parameters.get('endpoints') ?? '/',
    swapContracts,
    chainImages,
    // The registry of ENS names is on the local chain too.
    ensChain: 'eip155:31337',
    ...relaysOf(parameters.get('relays')),
    ...phoneWalletAt(parameters.get('phoneWallet')),
    ...embeddedWalletAt(parameters.get('login'), parameters.get('pin')),
    metadata: { name: 'Halcyon Prints', description: 'A demo of Portico', url: location.origin, icons: ['/shop.svg'] },
    ...(theme === 'light' || theme === 'dark' ? { themeMode: theme } : {}),
    ...featuresOf(parameters.get('without'), parameters.has('several')),
    ...(parameters.has('embedded') ? { enableEmbedded: true } : {}),
    ...(parameters.get('unsupported') === 'allow' ? { allowUnsupportedChain: true } : {}),
    ...signInNamed(parameters.get('siwx')),
    ...siweNamed(parameters.get('siwe')),
    ...Object.fromEntries(off.map(([, option]) => [option, false]))
  }
  // The cast is deliberate: this page also tests invalid options.
  return options as unknown as CreateAppKit
}

/** Part of the options that a namespace adds. */
interface Beside {
  readonly adapter: unknown
  readonly networks: readonly AppKitNetwork[]
  readonly connectorImages?: Readonly<Record<string, string>>
}

/** The namespaces that the URL names, beside the EVM chains: `?solana=…&bitcoin=…&polkadot=…`. `,only` after one leaves the EVM chains out. */
function namespacesOf(parameters: URLSearchParams): {
  adapters?: unknown
  networks?: unknown
  connectorImages?: unknown
} {
  const named = (name: string) => parameters.get(name)?.split(',')
  const added = [
    solanaNamed(named('solana')),
    bitcoinNamed(named('bitcoin'), parameters.get('utxos')),
    polkadotNamed(named('polkadot'))
  ].filter((one) => one !== undefined)
  if (added.length === 0) return {}
  const alone = ['solana', 'bitcoin', 'polkadot'].some((name) => named(name)?.includes('only'))
  return {
    adapters: [...(alone ? [] : [new EthersAdapter()]), ...added.map(({ adapter }) => adapter)],
    networks: [...(alone ? [] : networks), ...added.flatMap(({ networks }) => networks)],
    connectorImages: Object.assign({}, ...added.map(({ connectorImages }) => connectorImages))
  }
}

/** Solana: the reference of its network. */
function solanaNamed(names: readonly string[] | undefined): Beside | undefined {
  return names && { adapter: new SolanaAdapter(), networks: [solanaAt(names[0] ?? '')] }
}

/** Bitcoin: its networks by name, `mainnet` or `mainnet,signet`. `utxos` is the URL of a source of unspent outputs (Esplora). */
function bitcoinNamed(names: readonly string[] | undefined, utxos: string | null): Beside | undefined {
  if (!names) return undefined
  const getUTXOs = async ({ address }: { address: string }) => (await fetch(`${utxos}/address/${address}/utxo`)).json()
  return {
    adapter: new BitcoinAdapter(utxos === null ? {} : { api: { getUTXOs } }),
    networks: names.flatMap((name) => bitcoinNetworks[name] ?? [])
  }
}

/** Polkadot: its networks by name, `polkadot` or `polkadot,kusama`. */
function polkadotNamed(names: readonly string[] | undefined): Beside | undefined {
  return (
    names && {
      adapter: new PolkadotAdapter({ name: 'Halcyon Prints' }),
      networks: names.flatMap((name) => polkadotNetworks[name] ?? []),
      // Polkadot extensions tell a page no picture of their own.
      connectorImages: { [`polkadot:${DEMO_POLKADOT.name}`]: walletIcon(DEMO_POLKADOT) }
    }
  )
}

/** Sign-in: `required`, `optional`, or broken in the ways of `sign-in.ts`; `both` is a mistake that `createAppKit` refuses. */
function signInNamed(name: string | null): { siwx?: unknown; siweConfig?: unknown } {
  if (name === null) return {}
  return name === 'both' ? { siwx: {}, siweConfig: {} } : { siwx: signIn(name) }
}

/** Sign-in of EVM accounts alone, at a back end of the page's own, with these settings. */
function siweNamed(settings: string | null): { siweConfig?: unknown } {
  return settings === null ? {} : { siweConfig: siweAtBackEnd(settings) }
}

/** Relay of this page's server by default; `relays=off` for none, else the URL of another. */
function relaysOf(wanted: string | null): { relays?: unknown } {
  if (wanted === 'off') return {}
  return { relays: [{ relayUrl: wanted ?? `${location.origin.replace(/^http/, 'ws')}/relay` }] }
}

/** Turns off the named features, such as `swaps,onramp`, and several wallets on. */
function featuresOf(without: string | null, several: boolean): { features?: unknown } {
  if (without === null && !several) return {}
  const off = (without?.split(',') ?? []).map((name) => [name, false])
  return { features: { ...Object.fromEntries(off), ...(several ? { multiWallet: true } : {}) } }
}

/** Custom wallet whose app opens the links below this URL. */
function phoneWalletAt(link: string | null): { customWallets?: unknown } {
  return link === null ? {} : { customWallets: [{ id: 'phone', name: 'Phone wallet', mobile_link: link }] }
}

/** Embedded wallet whose frame is at this address; `login=demo` for the one that `cargo xtask demo` starts, two ports after the page's. */
function embeddedWalletAt(url: string | null, frameIntegrity: string | null): { embeddedWallet?: unknown } {
  const pinned = frameIntegrity === null ? {} : { frameIntegrity }
  return url === null ? {} : { embeddedWallet: { url: url === 'demo' ? demoWallet() : url, ...pinned } }
}

const demoWallet = () => `http://localhost:${Number(location.port) + 2}`

/** Page with the mails of the wallet that `cargo xtask demo` starts, if this page uses it. */
export function outboxFor(url: string): string | undefined {
  return new URL(url).searchParams.get('login') === 'demo' ? `${demoWallet()}/outbox` : undefined
}

/** Theme of the system, which the page uses too if the URL sets none; `theme=none` leaves the choice to the widget. */
function themeOfSystem(): 'light' | 'dark' {
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
}

/** Networks by name: `31338`, `31337,31337`, `solana`; `none`, `norpc` and `noid` are invalid options to test. */
function networksNamed(names: string | null): unknown[] {
  if (names === null) return [...networks]
  if (names === 'none') return []
  return names.split(',').map((name) => {
    if (name === 'solana') return solana
    if (name === 'norpc') return { ...anvilOne, rpcUrls: { default: { http: [] } } }
    if (name === 'noid') return { ...anvilOne, id: undefined }
    return networks.find(({ id }) => String(id) === name) ?? { ...anvilOne, id: Number(name), name: `Chain ${name}` }
  })
}
