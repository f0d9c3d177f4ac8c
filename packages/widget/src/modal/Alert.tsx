import { useContext } from 'react'
import type { Snapshot } from '../generated/core.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { LanguageContext, useText } from '../text/text.tsx'
import { IconButton } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { isShown } from './frozen.ts'

const inCard = ({ config, notice }: Snapshot) => (config.debug ? notice.alert : null)

/** The alert that is drawn over the page: where there is no modal, one that does not wait for it. */
export const alertOverPage = (snapshot: Snapshot) =>
  snapshot.notice.overPage && !isShown(snapshot) ? inCard(snapshot) : null

/** What the host should know, until it is read: a short message, what to do, and which option. */
export function Alert({ overPage = false }: { overPage?: boolean }) {
  const t = useText()
  const { alerts } = useContext(LanguageContext)
  const dispatch = useDispatch()
  const alert = useSnapshot(overPage ? alertOverPage : inCard)
  return (
    <div role="alert">
      {alert && (
        <div className="alert">
          <Icon name="warning" />
          <div data-testid="wui-alertbar-text">
            <strong>{alerts[alert.key].short}</strong>
            <p>{alerts[alert.key].long}</p>
            {alert.detail && (
              <code>
                <bdi>{alert.detail}</bdi>
              </code>
            )}
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
