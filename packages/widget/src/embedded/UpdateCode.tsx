import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { loginWords } from '../text/login.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Button } from '../ui/Button.tsx'
import { Fault, useFormStyle } from '../ui/form.tsx'
import { loginCss } from '../ui/login.css.ts'
import { faultText, isOver } from '../ui/loginFault.ts'
import { Address } from './Address.tsx'
import { CodeField } from './CodeField.tsx'

/** The field had the focus, and goes with a change that is over. */
const toButton = (step: HTMLElement | null): void => step?.querySelector('button')?.focus({ preventScroll: true })

/** Code that went to one of the two addresses of a change. */
export function UpdateCode({ address }: { address: string }) {
  useFormStyle()
  useStyle(loginCss)
  const t = useText(loginWords)
  const dispatch = useDispatch()
  const { email, code, phase, fault } = useSnapshot((snapshot) => snapshot.embedded.update)
  const busy = phase === 'checking'
  if (isOver(fault)) {
    const again = () => {
      // The form begins with the address that was wanted, and without the failure.
      dispatch({ feature: 'embedded', event: { type: 'newEmailTyped', email } })
      dispatch({ feature: 'modal', event: { type: 'viewAsked', view: 'UpdateEmailWallet' } })
    }
    return (
      <div className="step" ref={toButton}>
        <Fault id="code-fault">{faultText(fault, t)}</Fault>
        <Button kind="plain" icon="retry" data-testid="email-again" data-ahead="UpdateEmailWallet" onClick={again}>
          {t('startAgain')}
        </Button>
      </div>
    )
  }
  return (
    <div className="step">
      <p id="code-hint">
        <Address sentence={(gap) => t('codeHint', gap)} address={address || t('currentEmail')} />
      </p>
      <CodeField
        label={t('code')}
        code={code}
        wrong={fault !== null}
        busy={busy}
        describedBy="code-fault code-hint"
        onTyped={(text) => dispatch({ feature: 'embedded', event: { type: 'codeTyped', text } })}
      />
      <Fault id="code-fault">{faultText(fault, t)}</Fault>
      {busy && (
        <div className="busy-line" role="status">
          <span className="spinner" />
          {t('codeChecking')}
        </div>
      )}
    </div>
  )
}
