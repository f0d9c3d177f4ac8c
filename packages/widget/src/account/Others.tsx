import type { AccountState, ChainId, Namespace } from '../generated/core.ts'
import { activeAccount } from '../shell/active.ts'
import { namespaces } from '../shell/namespaces.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { othersWords } from '../text/others.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Icon } from '../ui/Icon.tsx'
import { Picture } from '../ui/Picture.tsx'
import { othersCss } from './others.css.ts'

/** Accounts of the other namespaces, each one press away, and the namespaces in which a wallet can still be connected. */
export function Others() {
  useStyle(othersCss)
  const t = useText(othersWords)
  const { activeNamespace, chains, networks, namespaceSwitching } = useSnapshot(({ network }) => network)
  const accounts = useSnapshot(({ account }) => account.accounts)
  const active = useSnapshot(activeAccount)
  const name = useSnapshot(({ network }) => network.active?.name)
  const others = chains.flatMap(({ namespace, adapter, networkState }) => {
    const account = accounts.find((one) => one.namespace === namespace)
    const first = networks.find(({ chainNamespace }) => chainNamespace === namespace)
    const chain = networkState.caipNetwork ?? first?.caipNetworkId
    return adapter && namespace !== activeNamespace && account && chain ? [{ account, chain }] : []
  })
  return (
    <>
      <ul className="others" aria-label={t('otherAccounts')} aria-busy={namespaceSwitching}>
        {others.map(({ account, chain }, index) => (
          // A chosen account leaves its place to the one that was active, and the focus stays there: the next press goes back.
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what counts
          <li key={index}>
            <Other account={account} chain={chain} />
          </li>
        ))}
      </ul>
      <span className="unseen" role="status">
        {active?.shortAddress && name && t('accountOn', called(active), name)}
      </span>
    </>
  )
}

/** Name of a connected account: the visitor's or the host's, else its shortened address. */
function called({ profileName, addressLabels, address, shortAddress }: AccountState): string {
  return profileName ?? addressLabels[address ?? ''] ?? shortAddress ?? ''
}

function Other({ account, chain }: { account: AccountState; chain: ChainId }) {
  const t = useText(othersWords)
  const dispatch = useDispatch()
  const { namespace, isConnected, status } = account
  const network = useSnapshot((snapshot) =>
    snapshot.network.networks.find(({ caipNetworkId }) => caipNetworkId === chain)
  )
  const coming = !isConnected && (status === 'connecting' || status === 'reconnecting')
  const name = called(account)
  const bare = name === account.shortAddress
  const label = isConnected
    ? t('switchToAccount', name, network?.name ?? namespaces[namespace].name)
    : t('connectTo', namespaces[namespace].name)
  return (
    <button
      type="button"
      className={isConnected ? 'other' : 'other vacant'}
      aria-label={label}
      aria-busy={coming || undefined}
      aria-disabled={coming || undefined}
      data-testid={testid(isConnected, namespace)}
      // The core connects a wallet first where the namespace has no account.
      onClick={() => !coming && dispatch({ feature: 'network', event: { type: 'networkChosen', chain } })}
    >
      {isConnected ? (
        <Picture src={network?.assets.imageUrl} name={network?.name ?? name} of={{ network: chain }} />
      ) : coming ? (
        <span className="spinner" />
      ) : (
        <Icon name="plus" />
      )}
      {isConnected ? (
        <bdi className={bare ? undefined : 'clip'} dir={bare ? 'ltr' : undefined}>
          {name}
        </bdi>
      ) : (
        <span>{label}</span>
      )}
    </button>
  )
}

const testid = (isConnected: boolean, namespace: Namespace) =>
  `${isConnected ? 'account-switch' : 'account-connect'}-${namespace}`
