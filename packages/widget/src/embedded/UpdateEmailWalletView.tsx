import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { loginWords } from '../text/login.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Button } from '../ui/Button.tsx'
import { Fault, useFormStyle } from '../ui/form.tsx'
import { Icon } from '../ui/Icon.tsx'
import { loginCss } from '../ui/login.css.ts'
import { faultText, isOfAddress } from '../ui/loginFault.ts'
import { Address } from './Address.tsx'

/** Form to change the e-mail address of the embedded wallet. */
export function UpdateEmailWalletView() {
  useFormStyle()
  useStyle(loginCss)
  const t = useText(loginWords)
  const dispatch = useDispatch()
  const { email, phase, fault, hosted } = useSnapshot((snapshot) => snapshot.embedded.update)
  return (
    <form
      className="form mailing"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const typed = new FormData(event.currentTarget).get('email')
        dispatch({ feature: 'embedded', event: { type: 'newEmailSubmitted', email: String(typed ?? '') } })
      }}
    >
      <div className={isOfAddress(fault) ? 'field wrong' : 'field'} data-testid="wui-email-input">
        <label htmlFor="new-email">{t('newEmail')}</label>
        <div className="line" dir="ltr">
          <input
            id="new-email"
            name="email"
            type="email"
            pattern=".+@.+[.].+"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="off"
            spellCheck={false}
            placeholder=" "
            defaultValue={email}
            readOnly={phase === 'sending'}
            aria-invalid={isOfAddress(fault)}
            aria-describedby="new-email-fault new-email-hosted new-email-hint"
            data-focus=""
            data-testid="new-email-input"
            onChange={({ target }) =>
              dispatch({ feature: 'embedded', event: { type: 'newEmailTyped', email: target.value } })
            }
          />
        </div>
        <Fault id="new-email-fault">{faultText(fault, t, 'newEmailInvalid')}</Fault>
      </div>
      <div role="status" id="new-email-hosted" data-testid="new-email-hosted">
        {hosted !== null && (
          <p className="said warned">
            <Icon name="warning" />
            <span>
              <Address sentence={(gap) => t('newEmailHosted', gap)} address={hosted} />
            </span>
          </p>
        )}
      </div>
      <div className="said" id="new-email-hint">
        {t('newEmailHint')}
      </div>
      <Button
        kind="primary"
        type="submit"
        busy={phase === 'sending'}
        data-testid="new-email-continue"
        data-ahead="UpdateEmailPrimaryOtp"
      >
        {t('emailContinue')}
      </Button>
    </form>
  )
}
