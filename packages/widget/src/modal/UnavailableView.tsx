import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useText } from '../text/text.tsx'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'

/** Placeholder for every view that this version does not have. */
export function UnavailableView() {
  const t = useText()
  const dispatch = useDispatch()
  const connected = useSnapshot((snapshot) => snapshot.account.accounts.some((account) => account.isConnected))
  const view = connected ? 'Account' : 'Connect'
  return (
    <Empty icon="layers" title={t('unavailable')} hint={t('unavailableHint')}>
      <Button
        kind="primary"
        data-testid="empty-state-button"
        onClick={() => dispatch({ feature: 'modal', event: { type: 'viewAsked', view } })}
      >
        {t(connected ? 'toAccount' : 'toConnect')}
      </Button>
    </Empty>
  )
}
