import { useContext } from 'react'
import type { Snapshot } from '../generated/core.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { LanguageContext, useText } from '../text/text.tsx'
import { IconButton } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { isShown } from './frozen.ts'

const inCard = ({ config, notice }: Snapshot) => (config.debug ? notice.alert : null)

/** Alert drawn over the page while the modal is closed, for an alert that does not wait for the modal. */
export const alertOverPage = (snapshot: Snapshot) =>
  snapshot.notice.overPage && !isShown(snapshot) ? inCard(snapshot) : null

/** Alert for the host until it is dismissed: a short message, the remedy, and the option to change. */
export function Alert({ overPage = false }: { overPage?: boolean }) {
  const t = useText()
  const { alerts } = useContext(LanguageContext)
  const dispatch = useDispatch()
  const alert = useSnapshot(overPage ? alertOverPage : inCard)
  return (
    <div role="alert">
      {alert && (
        <div className={`alert ${alert.key}`}>
          <Icon name="warning" />
          <div data-testid="wui-alertbar-text">
            {/* Over the page the remedy is folded, so that an alert covers as little of the host's page as it can. */}
            <details open={!overPage}>
              <summary>
                {alerts[alert.key].short}
                <Icon name="down" />
              </summary>
              <p>{alerts[alert.key].long}</p>
              {alert.detail && (
                <code>
                  <bdi>{alert.detail}</bdi>
                </code>
              )}
            </details>
          </div>
          <IconButton
            icon="close"
            label={t('dismiss')}
            data-testid="wui-alertbar-close"
            onClick={() => dispatch({ feature: 'notice', event: { type: 'alertDismissed' } })}
          />
        </div>
      )}
    </div>
  )
}
