import { type Connection, useAppKitConnection, useAppKitConnections } from '@portico/widget/react'
import { useState } from 'react'
import { inWords } from '../words.ts'
import { Facts, Panel } from './Panel.tsx'

/** Wallets that were used on this page; with `?several` in the URL, which turns `features.multiWallet` on. */
export function ConnectionsPanel() {
  const { connections, recentConnections } = useAppKitConnections()
  const [said, setSaid] = useState('')
  const { connection, isPending, switchConnection, deleteConnection } = useAppKitConnection({
    onSuccess: (result) => setSaid(JSON.stringify(result)),
    onError: (error) => setSaid(inWords(error))
  })
  return (
    <Panel title="Connections">
      <Facts
        facts={[
          ['In use', 'connection', connection?.name],
          ['Connected', 'connections', connections.map(inBrief).join(', ')],
          ['Pending', 'connection-pending', isPending]
        ]}
      />
      <ul>
        {recentConnections.map((recent) => (
          <li key={`${recent.namespace}:${recent.connectorId}`} data-testid={`recent-${recent.connectorId}`}>
            {inBrief(recent)}
            <div className="row">
              <button type="button" onClick={() => switchConnection({ connection: recent })}>
                Switch
              </button>
              {recent.accounts.map(({ address }) => (
                <button
                  key={address}
                  type="button"
                  onClick={() => deleteConnection({ address, connectorId: recent.connectorId })}
                >
                  Delete
                </button>
              ))}
            </div>
          </li>
        ))}
      </ul>
      <output className="said" data-testid="connection-result">
        {said}
      </output>
    </Panel>
  )
}

function inBrief({ name, accounts, caipNetwork }: Connection): string {
  return `${name} on ${caipNetwork?.name} (${accounts.length})`
}
