import { useSnapshot } from '../shell/react.tsx'
import { loginWords } from '../text/login.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Fault, useFormStyle } from '../ui/form.tsx'
import { loginCss } from '../ui/login.css.ts'
import { faultText } from '../ui/loginFault.ts'
import { Address } from './Address.tsx'
import { Resend } from './Resend.tsx'

/** Approval of a new device by the link of a mail, with the number that its page shows too. */
export function EmailVerifyDeviceView() {
  useFormStyle()
  useStyle(loginCss)
  const t = useText(loginWords)
  const { email, number, fault } = useSnapshot((snapshot) => snapshot.embedded)
  const over = fault !== null && number === null
  return (
    <div className="step">
      {!over && (
        <p>
          <Address sentence={(gap) => t('deviceHint', gap)} address={email} />
        </p>
      )}
      {number && (
        <>
          <div className="number" role="img" aria-label={`${t('deviceNumber')}: ${number}`} data-testid="device-number">
            <bdi dir="ltr">{number}</bdi>
          </div>
          <p className="quiet">{t('deviceNumberHint')}</p>
        </>
      )}
      <Fault id="device-fault">{faultText(fault, t)}</Fault>
      {!fault && (
        <div className="busy-line" role="status">
          <span className="spinner" />
          {t('deviceWaiting')}
        </div>
      )}
      <Resend over={over} />
    </div>
  )
}
