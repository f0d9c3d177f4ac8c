//! Networks of this wallet. Start here for a wallet of your own.

export type Namespace = 'eip155' | 'solana' | 'bip122' | 'polkadot'

export interface Network {
  /** CAIP-2 chain id. */
  readonly id: string
  readonly namespace: Namespace
  readonly name: string
  readonly coin: { readonly symbol: string; readonly decimals: number }
  /** Test network: its coins have no value. */
  readonly test?: true
  /** RPC URL for transactions; without one the wallet only signs messages. */
  readonly rpcUrl?: string
}

/** Chain of the demo, queried through the server that also serves this page. */
function local(id: number, name: string): Network {
  const rpcUrl = `${globalThis.location?.origin ?? ''}/v1?chainId=eip155:${id}&projectId=demo`
  return { id: `eip155:${id}`, namespace: 'eip155', name, coin: { symbol: 'ETH', decimals: 18 }, rpcUrl, test: true }
}

export const networks: readonly Network[] = [
  local(31337, 'Anvil One'),
  local(31338, 'Anvil Two'),
  {
    id: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    namespace: 'solana',
    name: 'Solana',
    coin: { symbol: 'SOL', decimals: 9 }
  },
  {
    id: 'bip122:000000000019d6689c085ae165831e93',
    namespace: 'bip122',
    name: 'Bitcoin',
    coin: { symbol: 'BTC', decimals: 8 }
  },
  {
    id: 'polkadot:91b171bb158e2d3848fa23a9f1c25182',
    namespace: 'polkadot',
    name: 'Polkadot',
    coin: { symbol: 'DOT', decimals: 10 }
  }
]

export const networkOf = (id: string): Network | undefined => networks.find((network) => network.id === id)

/** Names of the namespaces for users. */
export const NAMESPACE_NAMES: Readonly<Record<Namespace, string>> = {
  eip155: 'Ethereum',
  solana: 'Solana',
  bip122: 'Bitcoin',
  polkadot: 'Polkadot'
}

/** Supported methods and events of each namespace, and a note about a limitation. */
export const ABILITIES: Readonly<
  Record<Namespace, { methods: readonly string[]; events: readonly string[]; lacks: string | null }>
> = {
  eip155: {
    methods: [
      'eth_accounts',
      'eth_requestAccounts',
      'eth_chainId',
      'personal_sign',
      'eth_signTypedData',
      'eth_signTypedData_v3',
      'eth_signTypedData_v4',
      'eth_sendTransaction',
      'wallet_switchEthereumChain',
      'wallet_addEthereumChain'
    ],
    events: ['accountsChanged', 'chainChanged'],
    lacks: null
  },
  solana: {
    methods: ['solana_signMessage', 'solana_getAccounts', 'solana_requestAccounts'],
    events: ['accountsChanged'],
    lacks: 'On Solana, this wallet signs messages but not transactions.'
  },
  bip122: {
    methods: ['getAccountAddresses'],
    events: ['bip122_addressesChanged'],
    lacks: 'On Bitcoin, this wallet shows its address but signs nothing.'
  },
  polkadot: { methods: [], events: [], lacks: 'On Polkadot, this wallet shows its address but signs nothing.' }
}
