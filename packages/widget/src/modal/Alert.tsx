import { useContext } from 'react'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { LanguageContext, useText } from '../text/text.tsx'
import { IconButton } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'

/** What the host should know, until it is read: a short message, what to do, and which option. */
export function Alert() {
  const t = useText()
  const { alerts } = useContext(LanguageContext)
  const dispatch = useDispatch()
  const alert = useSnapshot((snapshot) => (snapshot.config.debug ? snapshot.notice.alert : null))
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
