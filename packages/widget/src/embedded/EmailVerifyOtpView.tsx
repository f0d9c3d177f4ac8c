import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { loginWords } from '../text/login.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Fault, useFormStyle } from '../ui/form.tsx'
import { loginCss } from '../ui/login.css.ts'
import { faultText, isOver } from '../ui/loginFault.ts'
import { Address } from './Address.tsx'
import { CodeField } from './CodeField.tsx'
import { Resend } from './Resend.tsx'

/** The field had the focus, and goes with a login that is over. */
const toButton = (step: HTMLElement | null): void => step?.querySelector('button')?.focus({ preventScroll: true })

/** Code of the mail. The last digit sends it. */
export function EmailVerifyOtpView() {
  useFormStyle()
  useStyle(loginCss)
  const t = useText(loginWords)
  const dispatch = useDispatch()
  const { email, code, phase, fault } = useSnapshot((snapshot) => snapshot.embedded)
  const busy = phase === 'checking' || phase === 'entering'
  const over = isOver(fault)
  return (
    <div className="step" ref={over ? toButton : undefined}>
      {!over && (
        <>
          <p id="code-hint">
            <Address sentence={(gap) => t('codeHint', gap)} address={email} />
          </p>
          <CodeField
            label={t('code')}
            code={code}
            wrong={fault !== null}
            busy={busy}
            describedBy="code-fault code-hint"
            onTyped={(text) => dispatch({ feature: 'embedded', event: { type: 'codeTyped', text } })}
          />
        </>
      )}
      <Fault id="code-fault">{faultText(fault, t)}</Fault>
      {busy ? (
        <div className="busy-line" role="status">
          <span className="spinner" />
          {t(phase === 'checking' ? 'codeChecking' : 'codeEntering')}
        </div>
      ) : (
        <Resend over={over} />
      )}
    </div>
  )
}
