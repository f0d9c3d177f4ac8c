import type { Network, Snapshot } from '../generated/core.ts'
import { activeAccount } from '../shell/active.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { networkWords } from '../text/networks.ts'
import { useText } from '../text/text.tsx'
import { Chosen } from '../ui/Chosen.tsx'
import { Picture } from '../ui/Picture.tsx'
import { Row } from '../ui/Row.tsx'
import { Tag } from '../ui/Tag.tsx'

/** List of networks to choose from; the active one is marked. */
export function NetworkList({ networks }: { networks: readonly Network[] }) {
  const t = useText(networkWords)
  const name = useSnapshot(
    (snapshot) =>
      networks.some((one) => !isAllowed(snapshot, one)) && activeAccount(snapshot)?.connectedWalletInfo?.name
  )
  return (
    <>
      <ul className="rows">
        {networks.map((network) => (
          <li key={network.caipNetworkId} data-testid={`w3m-network-switch-${network.name}`}>
            <NetworkRow network={network} />
          </li>
        ))}
      </ul>
      {typeof name === 'string' && <p className="lead below">{t('notApprovedHint', name)}</p>}
    </>
  )
}

/** Whether the wallet may use the network: a remote session approves only some, a browser wallet can use any. */
function isAllowed({ network, account }: Snapshot, { chainNamespace, caipNetworkId }: Network): boolean {
  const state = network.chains.find(({ namespace }) => namespace === chainNamespace)?.networkState
  const connected = account.accounts.some(({ namespace, isConnected }) => isConnected && namespace === chainNamespace)
  return !connected || !state || state.supportsAllNetworks || state.approvedCaipNetworkIds.includes(caipNetworkId)
}

function NetworkRow({ network }: { network: Network }) {
  const t = useText(networkWords)
  const dispatch = useDispatch()
  const current = useSnapshot(
    ({ network: view }) => !view.unsupported && view.active?.caipNetworkId === network.caipNetworkId
  )
  const allowed = useSnapshot((snapshot) => isAllowed(snapshot, network))
  return (
    <Row
      picture={<Picture src={network.assets.imageUrl} name={network.name} of={{ network: network.caipNetworkId }} />}
      name={network.name}
      current={current}
      disabled={!allowed}
      note={!allowed && t('notApproved')}
      testid={`network-${network.caipNetworkId}`}
      end={
        <>
          {network.testnet && <Tag kind="quiet">{t('testnet')}</Tag>}
          {current && <Chosen />}
        </>
      }
      onClick={() => dispatch({ feature: 'network', event: { type: 'networkChosen', chain: network.caipNetworkId } })}
    />
  )
}
