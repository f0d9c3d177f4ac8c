// Host with React: components with their properties, and the custom elements in TSX.

import { mainnet } from '@portico/widget/networks'
import { AppKitButton, AppKitProvider, type Provider, useAppKitAccount, useAppKitProvider } from '@portico/widget/react'

export function Header() {
  const { status } = useAppKitAccount({ namespace: 'eip155' })
  const { walletProvider } = useAppKitProvider<Provider>('eip155')
  return (
    <AppKitProvider projectId="strict" networks={[mainnet]} preload="none">
      <AppKitButton namespace="eip155" label={status} charsStart={4} />
      <appkit-button namespace="eip155" />
      <button type="button" onClick={() => walletProvider.request({ method: 'eth_chainId' })}>
        Ask
      </button>
    </AppKitProvider>
  )
}
