import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { ConnectView } from './ConnectView.tsx'
import { Pages } from './Legal.tsx'
import { legalCss } from './legal.css.ts'

/** Consent to the host's legal pages before the wallet list, where the host requires it. */
export function LegalConnectView() {
  const t = useText()
  const dispatch = useDispatch()
  const given = useSnapshot((snapshot) => snapshot.connect.consent === 'given')
  useStyle(legalCss)
  return (
    <>
      <label className="agree">
        <input
          type="checkbox"
          checked={given}
          data-testid="w3m-legal-checkbox"
          onChange={({ target }) =>
            dispatch({ feature: 'connect', event: { type: 'legalTicked', ticked: target.checked } })
          }
        />
        <span>
          {t('agree')} <Pages />
        </span>
      </label>
      <p id="consent" className="unseen">
        {t('agreeFirst')}
      </p>
      <ConnectView />
    </>
  )
}
