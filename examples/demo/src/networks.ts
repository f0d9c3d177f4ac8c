import type { AppKitNetwork } from '@portico/widget/networks'

/** Relative addresses would do for the widget, but a wallet that is asked to add the network wants a whole one. */
function local(id: number, name: string, testnet: boolean): AppKitNetwork {
  const rpcUrl = `${location.origin}/v1?chainId=eip155:${id}&projectId=demo`
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

export const networks = [anvilOne, anvilTwo] as const

export function rpcUrlOf(network: AppKitNetwork): string {
  return network.rpcUrls.default.http[0] ?? ''
}
