import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { loginWords } from '../text/login.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Button } from '../ui/Button.tsx'
import { Fault, useFormStyle } from '../ui/form.tsx'
import { loginCss } from '../ui/login.css.ts'
import { faultText, isOfAddress } from '../ui/loginFault.ts'
import { Or } from './Or.tsx'

/** E-mail field among the connect methods. The browser keeps its text, so that none is lost while the core's part loads. */
export function EmailLogin() {
  useFormStyle()
  useStyle(loginCss)
  const t = useText(loginWords)
  const dispatch = useDispatch()
  const { email, phase, fault } = useSnapshot((snapshot) => snapshot.embedded)
  const held = useSnapshot((snapshot) => snapshot.connect.consent === 'missing')
  return (
    <>
      <Or method="email" />
      <form
        className="form login"
        data-ahead="EmailVerifyOtp"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const typed = new FormData(event.currentTarget).get('email')
          dispatch({ feature: 'embedded', event: { type: 'emailSubmitted', email: String(typed ?? '') } })
        }}
      >
        <div className={isOfAddress(fault) ? 'field wrong' : 'field'} data-testid="wui-email-input">
          <div className="line">
            <label className="unseen" htmlFor="email">
              {t('email')}
            </label>
            <input
              id="email"
              name="email"
              type="email"
              pattern=".+@.+[.].+"
              inputMode="email"
              autoComplete="email"
              autoCapitalize="off"
              spellCheck={false}
              dir={email ? 'ltr' : undefined}
              placeholder={t('email')}
              defaultValue={email}
              readOnly={phase === 'sending'}
              aria-invalid={isOfAddress(fault)}
              aria-describedby="email-fault"
              data-testid="email-input"
              onChange={({ target }) =>
                dispatch({ feature: 'embedded', event: { type: 'emailTyped', email: target.value } })
              }
            />
            <Button
              type="submit"
              busy={phase === 'sending' || phase === 'entering'}
              resting={held}
              lacking={fault?.type === 'cooldown'}
              aria-describedby={held ? 'consent' : undefined}
              data-testid="email-continue"
            >
              {t('emailContinue')}
            </Button>
          </div>
        </div>
        <Fault id="email-fault" counted={fault?.type === 'cooldown'}>
          {faultText(fault, t)}
        </Fault>
        <Button
          icon="key"
          resting={held}
          aria-describedby={held ? 'consent' : undefined}
          data-testid="passkey-login"
          data-ahead="UpgradeEmailWallet"
          onClick={() => dispatch({ feature: 'embedded', event: { type: 'passkeyAsked' } })}
        >
          {t('usePasskey')}
        </Button>
      </form>
      <Or method="email" after />
    </>
  )
}
