import { useContext } from 'react'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { LanguageContext, useText } from '../text/text.tsx'
import { IconButton } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { isShown } from './frozen.ts'

/**
 * Transient message in the modal, or with `overPage` outside of it. Both live regions exist from the start, so that screen readers announce
 * a message that appears in them.
 */
export function Snack({ overPage = false }: { overPage?: boolean }) {
  const t = useText()
  const { messages } = useContext(LanguageContext)
  const dispatch = useDispatch()
  const snack = useSnapshot((snapshot) => (isShown(snapshot) === overPage ? null : snapshot.notice.snack))
  const said = snack && (
    <div className={`snack ${snack.variant}`}>
      {snack.variant === 'loading' ? (
        <span className="spinner" />
      ) : (
        <Icon name={snack.variant === 'success' ? 'check' : 'warning'} />
      )}
      <span data-testid="wui-snackbar-message" dir="auto">
        {snack.text ?? (snack.message && messages[snack.message])}
      </span>
      <IconButton
        icon="close"
        label={t('dismiss')}
        onClick={() => dispatch({ feature: 'notice', event: { type: 'snackDismissed' } })}
      />
    </div>
  )
  const wrong = snack?.variant === 'error'
  return (
    <div className="snacks">
      <div role="status">{!wrong && said}</div>
      <div role="alert">{wrong && said}</div>
    </div>
  )
}
