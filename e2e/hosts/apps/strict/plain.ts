// Host without React: the types must not need React's types, nor any package that is not installed.
import {
  type AppKit,
  type AppKitAccount,
  type CaipNetwork,
  createAppKit,
  type Eip1193Provider,
  PorticoError,
  type Provider
} from '@portico/widget'
import { EthersAdapter } from '@portico/widget/ethers'
import { type AppKitNetwork, defineChain, mainnet } from '@portico/widget/networks'

const own: AppKitNetwork = defineChain({
  id: 31337,
  name: 'Own',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: ['https://rpc.example'] } }
})

const kit: AppKit = createAppKit({
  projectId: 'plain',
  adapters: [new EthersAdapter()],
  networks: [mainnet, own],
  relays: [{ relayUrl: 'wss://relay.example' }],
  preload: 'idle',
  messages: { titleConnect: 'Log in' }
})

export async function connect(): Promise<string> {
  try {
    const { address, chainNamespace } = await kit.connect()
    const provider = kit.getProvider<Provider>(chainNamespace)
    return `${address} ${await provider?.request<string>({ method: 'eth_chainId' })}`
  } catch (error) {
    return error instanceof PorticoError ? error.reason : 'unknown'
  }
}

export async function remote(): Promise<string | undefined> {
  const universal = await kit.getUniversalProvider()
  return universal?.session?.topic
}

export const account: AppKitAccount = kit.getAccount()
export const network: CaipNetwork | undefined = kit.getCaipNetwork()
export const bare: Eip1193Provider | undefined = kit.getProvider()
kit.setTermsConditionsUrl('https://host.example/terms')
kit.setConnectMethodsOrder(['wallet'])
kit.setClientId(null)

export function first(): void {
  const button = document.querySelector('appkit-button')
  if (!button) return
  button.kit = kit
  button.disabled = true
  button.label = 'Log in'
  button.charsStart = 6
}
