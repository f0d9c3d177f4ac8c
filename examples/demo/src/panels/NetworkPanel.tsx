import { useAppKitNetwork, useAppKitState } from '@portico/widget/react'
import { useState } from 'react'
import { networks } from '../networks.ts'
import { inWords } from '../words.ts'
import { Facts, Panel } from './Panel.tsx'

export function NetworkPanel() {
  const { caipNetwork, caipNetworkId, chainId, switchNetwork } = useAppKitNetwork()
  const { open, loading, initialized } = useAppKitState()
  const [said, setSaid] = useState('')
  const switchTo = async (network: (typeof networks)[number]) => {
    setSaid('Switching…')
    try {
      await switchNetwork(network)
      setSaid(`Switched to ${network.name}`)
    } catch (error) {
      setSaid(inWords(error))
    }
  }
  return (
    <Panel title="Network">
      <Facts
        facts={[
          ['Name', 'network-name', caipNetwork?.name],
          ['CAIP id', 'network-caip-id', caipNetworkId],
          ['Chain id', 'network-chain-id', chainId],
          ['Modal open', 'state-open', open],
          ['Loading', 'state-loading', loading],
          ['Initialized', 'state-initialized', initialized]
        ]}
      />
      <div className="row">
        {networks.map((network) => (
          <button
            key={network.id}
            type="button"
            data-testid={`switch-to-${network.id}`}
            onClick={() => switchTo(network)}
          >
            {network.name}
          </button>
        ))}
        <output data-testid="switch-result">{said}</output>
      </div>
    </Panel>
  )
}
