import {
  type AppKitNetwork,
  bitcoin,
  bitcoinSignet,
  bitcoinTestnet4,
  kusama,
  solana as mainnet,
  polkadot,
  westend
} from '@portico/widget/networks'

/** Absolute RPC URL: the widget accepts relative ones, but a wallet needs an absolute one to add the network. */
const nodeOf = (chain: string): string => `${location.origin}/v1?chainId=${chain}&projectId=demo`

/** Explorer of the first chain: `?explorer=` names it, else it is where `cargo xtask demo` starts it, on the port after the page's. */
export const explorerUrl: string =
  new URL(location.href).searchParams.get('explorer') ?? `http://${location.hostname}:${Number(location.port) + 1}`

function local(id: number, name: string, testnet: boolean): AppKitNetwork {
  const rpcUrl = nodeOf(`eip155:${id}`)
  return {
    id,
    name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    testnet
  }
}

// Not a test network, because names are resolved only on other networks.
export const anvilOne: AppKitNetwork = {
  ...local(31337, 'Anvil One', false),
  blockExplorers: { default: { name: 'Explorer', url: explorerUrl } }
}
export const anvilTwo = local(31338, 'Anvil Two', true)

/** Network of another namespace, for wallets with accounts in several. No Solana node runs here. */
export const solana: AppKitNetwork = solanaAt(mainnet.id)

/** Solana's network with this genesis. Public explorers know the main network alone. */
export function solanaAt(id: string): AppKitNetwork {
  const caipNetworkId = `solana:${id}` as const
  const { blockExplorers, ...network } = mainnet
  const explorers = id === mainnet.id && blockExplorers ? { blockExplorers } : {}
  return { ...network, ...explorers, id, caipNetworkId, rpcUrls: { default: { http: [nodeOf(caipNetworkId)] } } }
}

const regtestId = '0f9188f13cb7b2c71f2a335e3a4fc328'

/** Bitcoin's network for tests, which runs beside this page. */
export const bitcoinRegtest: AppKitNetwork = {
  id: regtestId,
  chainNamespace: 'bip122',
  caipNetworkId: `bip122:${regtestId}`,
  name: 'Bitcoin Regtest',
  nativeCurrency: bitcoin.nativeCurrency,
  rpcUrls: { default: { http: [nodeOf(`bip122:${regtestId}`)] } },
  testnet: true
}

/** Networks of Bitcoin by name. Addresses of all but `regtest` are asked of nobody, unless the page names a source of unspent outputs. */
export const bitcoinNetworks: Readonly<Record<string, AppKitNetwork>> = {
  mainnet: bitcoin,
  testnet4: bitcoinTestnet4,
  signet: bitcoinSignet,
  regtest: bitcoinRegtest
}

/** Networks of Polkadot by name. They are asked nothing: no node of them runs here. */
export const polkadotNetworks: Readonly<Record<string, AppKitNetwork>> = { polkadot, kusama, westend }

/** Exchange of the local chains; its addresses follow from the order in which `cargo xtask world` deploys its contracts. */
const exchange = [
  { protocol: 'wrapped-coin', address: '0x12975173B87F7595EE45dFFb2Ab812ECE596Bf84' },
  { protocol: 'uniswap-v2', address: '0x04fc820176617A99AE134904935Bc854b2e51628' },
  { protocol: 'uniswap-swap-router-02', address: '0x4d8E02BBfCf205828A8352Af4376b165E123D7b0' }
] as const

export const swapContracts = { 'eip155:31337': exchange, 'eip155:31338': exchange }

/** Pictures that tell the two chains apart. */
export const chainImages = { 31337: '/anvil-one.svg', 31338: '/anvil-two.svg' } as const

export const networks = [anvilOne, anvilTwo] as const

export function rpcUrlOf(network: AppKitNetwork): string {
  return network.rpcUrls.default.http[0] ?? ''
}
