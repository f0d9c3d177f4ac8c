import { type AppKitNetwork, solana as mainnet } from '@portico/widget/networks'

/** Absolute RPC URL: the widget accepts relative ones, but a wallet needs an absolute one to add the network. */
const nodeOf = (chain: string): string => `${location.origin}/v1?chainId=${chain}&projectId=demo`

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
export const anvilOne = local(31337, 'Anvil One', false)
export const anvilTwo = local(31338, 'Anvil Two', true)

/** Network of another namespace, for wallets with accounts in several. No Solana node runs here. */
export const solana: AppKitNetwork = { ...mainnet, rpcUrls: { default: { http: [nodeOf(mainnet.caipNetworkId)] } } }

export const networks = [anvilOne, anvilTwo] as const

export function rpcUrlOf(network: AppKitNetwork): string {
  return network.rpcUrls.default.http[0] ?? ''
}
