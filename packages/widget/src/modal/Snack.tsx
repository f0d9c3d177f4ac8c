import { useContext } from 'react'
import { useSnapshot } from '../shell/react.tsx'
import { LanguageContext } from '../text/text.tsx'
import { Icon } from '../ui/Icon.tsx'

/** A message in passing. The two regions stand there from the beginning, so that what comes into them is read out. */
export function Snack() {
  const { messages } = useContext(LanguageContext)
  const snack = useSnapshot((snapshot) => snapshot.notice.snack)
  const said = snack && (
    <div className={`snack ${snack.variant}`}>
      {snack.variant === 'loading' ? (
        <span className="spinner" />
      ) : (
        <Icon name={snack.variant === 'success' ? 'check' : 'warning'} />
      )}
      <span data-testid="wui-snackbar-message">{snack.text ?? (snack.message && messages[snack.message])}</span>
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
