import type { Network } from '../generated/core.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useText } from '../text/text.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Picture } from '../ui/Picture.tsx'
import { Row } from '../ui/Row.tsx'
import { Tag } from '../ui/Tag.tsx'

/** Networks to choose from; the one in use is marked. */
export function NetworkList({ networks }: { networks: readonly Network[] }) {
  return (
    <ul className="rows">
      {networks.map((network) => (
        <li key={network.caipNetworkId} data-testid={`w3m-network-switch-${network.name}`}>
          <NetworkRow network={network} />
        </li>
      ))}
    </ul>
  )
}

function NetworkRow({ network }: { network: Network }) {
  const t = useText()
  const dispatch = useDispatch()
  const state = useSnapshot(
    ({ network: view }) => view.chains.find(({ namespace }) => namespace === network.chainNamespace)?.networkState
  )
  const current = useSnapshot(
    ({ network: view }) => !view.unsupported && view.active?.caipNetworkId === network.caipNetworkId
  )
  const connected = useSnapshot(({ account }) =>
    account.accounts.some(({ namespace, isConnected }) => isConnected && namespace === network.chainNamespace)
  )
  // A remote session approves some networks only; a wallet in the browser can go to any.
  const allowed =
    !connected || !state || state.supportsAllNetworks || state.approvedCaipNetworkIds.includes(network.caipNetworkId)
  return (
    <Row
      picture={<Picture src={network.assets.imageUrl} name={network.name} />}
      name={network.name}
      current={current}
      disabled={!allowed}
      title={allowed ? undefined : t('notApproved')}
      testid={`network-${network.caipNetworkId}`}
      end={
        <>
          {network.testnet && <Tag kind="quiet">{t('testnet')}</Tag>}
          {current && (
            <span className="mark">
              <Icon name="check" />
              <span className="unseen">{t('current')}</span>
            </span>
          )}
        </>
      }
      onClick={() => dispatch({ feature: 'network', event: { type: 'networkChosen', chain: network.caipNetworkId } })}
    />
  )
}
