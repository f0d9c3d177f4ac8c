//! The options of this page, each of which its URL may change: `/?theme=light&networks=31338`.

import type { CreateAppKit } from '@portico/widget'
import { EthersAdapter } from '@portico/widget/ethers'
import { anvilOne, networks, solana } from './networks.ts'

/** What `=off` turns off. */
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
    // Without one, every network is reached through remote wallets.
    adapters: parameters.get('adapters') === 'none' ? [] : [new EthersAdapter()],
    networks: networksNamed(parameters.get('networks')),
    projectId: parameters.get('projectId') ?? 'demo',
    // The server of this page is also the widget's.
    endpoints: parameters.get('endpoints') ?? '/',
    ...relaysOf(parameters.get('relays')),
    ...phoneWalletAt(parameters.get('phoneWallet')),
    metadata: { name: 'Portico demo', description: 'A host page', url: location.origin, icons: ['/icon.svg'] },
    ...(theme === 'light' || theme === 'dark' ? { themeMode: theme } : {}),
    ...featuresWithout(parameters.get('without')),
    ...(parameters.has('embedded') ? { enableEmbedded: true } : {}),
    ...(parameters.get('unsupported') === 'allow' ? { allowUnsupportedChain: true } : {}),
    // What is in them does not matter here: a host that gives both is refused before either is used.
    ...(parameters.get('siwx') === 'both' ? { siwx: {}, siweConfig: {} } : {}),
    ...Object.fromEntries(off.map(([, option]) => [option, false]))
  }
  // Wrong options are one of the things this page is for, so the type is taken on trust.
  return options as unknown as CreateAppKit
}

/** The relay of this page's own server; `relays=off` for none, else the address of another. */
function relaysOf(wanted: string | null): { relays?: unknown } {
  if (wanted === 'off') return {}
  return { relays: [{ relayUrl: wanted ?? `${location.origin.replace(/^http/, 'ws')}/relay` }] }
}

/** `swaps,onramp`: all that can be done with an account, but for these. */
function featuresWithout(names: string | null): { features?: unknown } {
  return names === null ? {} : { features: Object.fromEntries(names.split(',').map((name) => [name, false])) }
}

/** A wallet of the host's own, whose app takes over the links below that address. */
function phoneWalletAt(link: string | null): { customWallets?: unknown } {
  return link === null ? {} : { customWallets: [{ id: 'phone', name: 'Phone wallet', mobile_link: link }] }
}

/** As the page itself is dressed where its URL says nothing; `theme=none` leaves it to the widget. */
function themeOfSystem(): 'light' | 'dark' {
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
}

/** `31338`, `31337,31337`, `solana`, and for what hosts get wrong `none`, `norpc` and `noid`. */
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
