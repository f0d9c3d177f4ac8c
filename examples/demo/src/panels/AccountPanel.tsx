import { useAppKitAccount, useAppKitBalance, useAppKitProvider, useWalletInfo } from '@portico/widget/react'
import { useState } from 'react'
import { Facts, Panel } from './Panel.tsx'

export function AccountPanel() {
  const { address, caipAddress, isConnected, status, allAccounts } = useAppKitAccount()
  const { walletInfo } = useWalletInfo()
  const { walletProviderType } = useAppKitProvider('eip155')
  return (
    <Panel title="Account">
      <Facts
        facts={[
          ['Status', 'account-status', status],
          ['Connected', 'account-connected', isConnected],
          ['Address', 'account-address', address],
          ['CAIP address', 'account-caip-address', caipAddress],
          ['Accounts', 'account-count', allAccounts.length],
          ['Wallet', 'account-wallet', walletInfo?.name],
          ['Provider', 'account-provider', walletProviderType]
        ]}
      />
      <Balance />
    </Panel>
  )
}

function Balance() {
  const { fetchBalance } = useAppKitBalance()
  const [shown, setShown] = useState('')
  const fetchAndShow = async () => {
    const { data, error } = await fetchBalance()
    setShown(data ? `${data.balance} ${data.symbol}` : (error ?? ''))
  }
  return (
    <div className="row">
      <button type="button" data-testid="fetch-balance" onClick={fetchAndShow}>
        Fetch balance
      </button>
      <output data-testid="fetched-balance">{shown}</output>
    </div>
  )
}
