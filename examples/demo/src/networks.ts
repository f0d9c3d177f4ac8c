import { type AppKitNetwork, solana as mainnet } from '@portico/widget/networks'

/** Relative addresses would do for the widget, but a wallet that is asked to add the network wants a whole one. */
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

// Names are looked up on this one, as on no test network.
export const anvilOne = local(31337, 'Anvil One', false)
export const anvilTwo = local(31338, 'Anvil Two', true)

/** Of another namespace, for wallets that hold accounts of several; nothing of it runs here. */
export const solana: AppKitNetwork = { ...mainnet, rpcUrls: { default: { http: [nodeOf(mainnet.caipNetworkId)] } } }

export const networks = [anvilOne, anvilTwo] as const

export function rpcUrlOf(network: AppKitNetwork): string {
  return network.rpcUrls.default.http[0] ?? ''
}
