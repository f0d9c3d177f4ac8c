// A typical host page for AppKit 1.7 with ethers. The test changes only its imports.

import { type AppKitNetwork, arbitrum, mainnet } from '@reown/appkit/networks'
import {
  createAppKit,
  type Provider,
  useAppKit,
  useAppKitAccount,
  useAppKitEvents,
  useAppKitNetwork,
  useAppKitProvider,
  useAppKitState,
  useAppKitTheme,
  useDisconnect,
  useWalletInfo
} from '@reown/appkit/react'
import { EthersAdapter } from '@reown/appkit-adapter-ethers'
import { BrowserProvider, formatEther, JsonRpcSigner } from 'ethers'
import { useEffect, useState } from 'react'

export const networks = [mainnet, arbitrum] as [AppKitNetwork, ...AppKitNetwork[]]

createAppKit({
  adapters: [new EthersAdapter()],
  projectId: 'b56e18d47c72ab683b10814fe9495694',
  networks,
  defaultNetwork: mainnet,
  metadata: {
    name: 'A host',
    description: 'Of AppKit',
    url: 'https://host.example',
    icons: ['https://host.example/a.png']
  },
  themeMode: 'light',
  themeVariables: { '--w3m-accent': '#000000', '--w3m-border-radius-master': '2px' },
  customRpcUrls: {
    'eip155:1': [{ url: 'https://rpc.host.example', config: { fetchOptions: { headers: { 'x-key': 'a' } } } }]
  },
  features: {
    analytics: true,
    email: false,
    socials: ['google', 'x', 'github'],
    connectMethodsOrder: ['wallet', 'email', 'social']
  },
  chainImages: { 1: 'https://host.example/eth.png' },
  allWallets: 'SHOW',
  enableCoinbase: true,
  coinbasePreference: 'all'
})

export function Account() {
  const { address, caipAddress, isConnected, status, embeddedWalletInfo, allAccounts } = useAppKitAccount({
    namespace: 'eip155'
  })
  const { chainId, caipNetwork, switchNetwork } = useAppKitNetwork()
  const { walletInfo } = useWalletInfo()
  const { open, close } = useAppKit()
  const { disconnect } = useDisconnect()
  const { selectedNetworkId, activeChain } = useAppKitState()
  const { themeMode, setThemeMode } = useAppKitTheme()
  const events = useAppKitEvents()

  useEffect(() => {
    console.log('event', events.data.event, events.timestamp)
  }, [events])

  if (!isConnected) return <button onClick={() => open({ view: 'Connect', namespace: 'eip155' })}>Connect</button>
  return (
    <section>
      <p>{`${address} ${caipAddress} ${status} ${chainId} ${caipNetwork?.name} ${selectedNetworkId} ${activeChain}`}</p>
      <p>{`${walletInfo?.name} ${allAccounts.map((account) => `${account.address} ${account.type}`).join()}`}</p>
      {embeddedWalletInfo?.accountType && <p>{`Account type: ${embeddedWalletInfo.accountType}`}</p>}
      {embeddedWalletInfo?.user?.email && <p>{`E-mail: ${embeddedWalletInfo.user.email}`}</p>}
      {embeddedWalletInfo?.authProvider && <p>{`By: ${embeddedWalletInfo.authProvider}`}</p>}
      {embeddedWalletInfo?.user?.username && <p>{`Name: ${embeddedWalletInfo.user.username}`}</p>}
      <button onClick={() => switchNetwork(arbitrum)}>Arbitrum</button>
      <button onClick={() => setThemeMode(themeMode === 'dark' ? 'light' : 'dark')}>Theme</button>
      <button onClick={() => disconnect()}>Disconnect</button>
      <button onClick={() => close()}>Close</button>
      <Sign />
    </section>
  )
}

function Sign() {
  const { walletProvider } = useAppKitProvider<Provider>('eip155')
  const { address, isConnected } = useAppKitAccount()
  const [said, setSaid] = useState('')

  useEffect(() => {
    const changed = (accounts: string[]) => setSaid(accounts[0] ?? '')
    if (isConnected) walletProvider.on('accountsChanged', changed)
    return () => {
      if (isConnected) walletProvider.removeListener('accountsChanged', changed)
    }
  }, [walletProvider, isConnected])

  async function sign() {
    const provider = new BrowserProvider(walletProvider)
    const signer = new JsonRpcSigner(provider, address as string)
    setSaid(await signer.signMessage('Hello'))
  }

  async function balance() {
    const provider = new BrowserProvider(walletProvider)
    setSaid(formatEther(await provider.getBalance(address as string)))
  }

  async function ask() {
    setSaid(await walletProvider.request<string>({ method: 'eth_chainId' }))
  }

  return (
    <>
      <button onClick={sign}>Sign</button>
      <button onClick={balance}>Balance</button>
      <button onClick={ask}>Ask</button>
      <p>{said}</p>
    </>
  )
}

export default function Page() {
  return (
    <main>
      <appkit-button />
      <appkit-network-button />
      <w3m-button balance="hide" />
      <Account />
    </main>
  )
}
