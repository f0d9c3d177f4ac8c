import { shortened } from '@portico/testkit/shortened'
import { useState } from 'react'
import { type Account, accountsOf, sameAddress } from '../wallet/accounts.ts'
import { addressIn } from '../wallet/grant.ts'
import { NAMESPACE_NAMES, type Namespace, networks } from '../wallet/networks.ts'
import type { Connection } from '../wallet/view.ts'
import type { Wallet } from '../wallet/wallet.ts'
import { PeerCard } from './PeerCard.tsx'

/** Card of a connected app: its accounts and networks, and controls to change them. */
export function SessionCard({ wallet, connection }: { wallet: Wallet; connection: Connection }) {
  const { session, peer } = connection
  const [ending, setEnding] = useState(false)
  const namespaces = (Object.keys(NAMESPACE_NAMES) as Namespace[]).filter((one) => session.namespaces[one])
  const until = new Date(session.expiry * 1000).toLocaleDateString(undefined, { day: 'numeric', month: 'long' })
  return (
    <article className="card" data-testid="session-card" aria-label={peer.name}>
      <PeerCard peer={peer} />
      {namespaces.map((namespace) => (
        <div key={namespace} className="part">
          <h2>{NAMESPACE_NAMES[namespace]}</h2>
          <AccountChoice wallet={wallet} connection={connection} namespace={namespace} />
          <NetworkChoice wallet={wallet} connection={connection} namespace={namespace} />
        </div>
      ))}
      <footer>
        <span className="soft">Until {until}</span>
        <button
          type="button"
          className="plain"
          data-testid="session-disconnect-button"
          disabled={ending}
          onClick={() => {
            setEnding(true)
            void wallet.disconnect(connection)
          }}
        >
          Disconnect
        </button>
      </footer>
    </article>
  )
}

type ChoiceProps = Parameters<typeof SessionCard>[0] & { namespace: Namespace }

/** Choice of the network; absent if the namespace has only one. */
function NetworkChoice({ wallet, connection: { session, chain }, namespace }: ChoiceProps) {
  const all = networks.filter((network) => network.namespace === namespace)
  if (all.length === 1) return null
  return (
    <div className="chips">
      {all.map((network) => (
        <button
          key={network.id}
          type="button"
          className="chip"
          data-testid={`chain-switch-button${network.id}`}
          aria-pressed={chain?.id === network.id}
          onClick={() => void wallet.switchChain(session, network)}
        >
          {network.name}
        </button>
      ))}
    </div>
  )
}

function AccountChoice({
  wallet,
  connection,
  namespace
}: Parameters<typeof SessionCard>[0] & { namespace: Namespace }) {
  const all = accountsOf(namespace)
  const active = addressIn(connection.session.namespaces[namespace]?.accounts[0] ?? '')
  const isActive = ({ address }: Account) => sameAddress(namespace, address, active)
  if (all.length === 1) return <code dir="ltr">{shortened(active)}</code>
  return (
    <select
      aria-label={`Account on ${NAMESPACE_NAMES[namespace]}`}
      data-testid={`session-account-${namespace}`}
      value={all.find(isActive)?.address ?? ''}
      onChange={({ target }) => {
        const account = all.find(({ address }) => address === target.value)
        if (account) void wallet.switchAccount(connection, account)
      }}
    >
      {all.map(({ name, address }) => (
        <option key={address} value={address}>
          {name} · {shortened(address)}
        </option>
      ))}
    </select>
  )
}
