import { AppKitWalletButton, useAppKitWallet } from '@portico/widget/wallet-button/react'
import { inWords } from '../words.ts'
import { Panel } from './Panel.tsx'

/** Buttons that connect one wallet, or log in at one service, without the list. */
export function WalletButtonsPanel({ logins }: { logins: boolean }) {
  const { connect, data, error, isPending, isReady } = useAppKitWallet()
  const said = error ? inWords(error) : data?.address
  return (
    <Panel title="Wallet buttons">
      <div className="row">
        <AppKitWalletButton wallet="demo-wallet" size="sm" />
        <AppKitWalletButton wallet="walletConnect" size="sm" />
        {logins && <AppKitWalletButton wallet="email" size="sm" />}
        <button
          type="button"
          data-testid="wallet-button-hook"
          disabled={!isReady || isPending}
          onClick={() => connect(logins ? 'google' : 'demo-wallet')}
        >
          {logins ? "connect('google')" : "connect('demo-wallet')"}
        </button>
      </div>
      <output className="said" data-testid="wallet-button-result">
        {said}
      </output>
    </Panel>
  )
}
