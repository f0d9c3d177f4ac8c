//! The options of this page, each of which its URL may change: `/?theme=light&networks=31338`.

import type { CreateAppKit } from '@portico/widget'
import { EthersAdapter } from '@portico/widget/ethers'
import { anvilOne, networks } from './networks.ts'

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
    adapters: [new EthersAdapter()],
    networks: networksNamed(parameters.get('networks')),
    projectId: parameters.get('projectId') ?? 'demo',
    // The server of this page is also the widget's.
    endpoints: parameters.get('endpoints') ?? '/',
    metadata: { name: 'Portico demo', description: 'A host page', url: location.origin, icons: ['/icon.svg'] },
    ...(theme === 'light' || theme === 'dark' ? { themeMode: theme } : {}),
    ...(parameters.has('embedded') ? { enableEmbedded: true } : {}),
    ...(parameters.get('unsupported') === 'allow' ? { allowUnsupportedChain: true } : {}),
    // What is in them does not matter here: a host that gives both is refused before either is used.
    ...(parameters.get('siwx') === 'both' ? { siwx: {}, siweConfig: {} } : {}),
    ...Object.fromEntries(off.map(([, option]) => [option, false]))
  }
  // Wrong options are one of the things this page is for, so the type is taken on trust.
  return options as unknown as CreateAppKit
}

/** As the page itself is dressed where its URL says nothing; `theme=none` leaves it to the widget. */
function themeOfSystem(): 'light' | 'dark' {
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
}

/** `31338`, `31337,31337`, and for what hosts get wrong `none`, `norpc` and `noid`. */
function networksNamed(names: string | null): unknown[] {
  if (names === null) return [...networks]
  if (names === 'none') return []
  return names.split(',').map((name) => {
    if (name === 'norpc') return { ...anvilOne, rpcUrls: { default: { http: [] } } }
    if (name === 'noid') return { ...anvilOne, id: undefined }
    return networks.find(({ id }) => String(id) === name) ?? { ...anvilOne, id: Number(name), name: `Chain ${name}` }
  })
}
