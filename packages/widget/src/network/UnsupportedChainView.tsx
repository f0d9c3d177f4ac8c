import { activeAccount } from '../shell/active.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Button } from '../ui/Button.tsx'
import { NetworkList } from './NetworkList.tsx'
import { networkCss } from './network.css.ts'

/** Notice that the wallet is on a network that the host does not serve. */
export function UnsupportedChainView() {
  useStyle(networkCss)
  const t = useText()
  const dispatch = useDispatch()
  const all = useSnapshot((snapshot) => snapshot.network.networks)
  const closable = useSnapshot((snapshot) => snapshot.modal.closable)
  const namespace = useSnapshot((snapshot) => activeAccount(snapshot)?.namespace ?? null)
  // An account that has to sign in first stays active.
  const networks = closable ? all : all.filter((network) => network.chainNamespace === namespace)
  return (
    <>
      <p className="lead">{t('unsupported')}</p>
      <NetworkList networks={networks} />
      <div className="foot">
        <Button
          kind="plain"
          icon="power"
          data-testid="disconnect-button"
          onClick={() => dispatch({ feature: 'connect', event: { type: 'disconnectAsked', namespace, ticket: null } })}
        >
          {t('disconnect')}
        </Button>
      </div>
    </>
  )
}
