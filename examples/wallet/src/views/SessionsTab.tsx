import type { WalletView } from '../wallet/view.ts'
import type { Wallet } from '../wallet/wallet.ts'
import { SessionCard } from './SessionCard.tsx'

export function SessionsTab({ wallet, view }: { wallet: Wallet; view: WalletView }) {
  return (
    <section aria-labelledby="sessions-heading">
      <h1 id="sessions-heading">Connections</h1>
      {view.sessions.length === 0 && <p className="soft">No apps connected.</p>}
      {view.sessions.map((connection) => (
        <SessionCard key={connection.session.topic} wallet={wallet} connection={connection} />
      ))}
    </section>
  )
}
