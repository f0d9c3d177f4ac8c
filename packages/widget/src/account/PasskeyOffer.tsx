import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { accountWords } from '../text/account.ts'
import { useText } from '../text/text.tsx'
import { Icon } from '../ui/Icon.tsx'

/** Offer of a passkey for an account with coins: its text leads to the settings, where it is added. */
export function PasskeyOffer() {
  const t = useText(accountWords)
  const dispatch = useDispatch()
  const shown = useSnapshot((snapshot) => snapshot.embedded.offer)
  if (!shown) return null
  return (
    <div className="offer" data-testid="passkey-offer">
      <button
        type="button"
        data-testid="passkey-offer-settings"
        onClick={() => dispatch({ feature: 'embedded', event: { type: 'settingsAsked' } })}
      >
        {t('passkeyOffer')}
        <small>{t('passkeyOfferHint')}</small>
      </button>
      <button
        type="button"
        className="end"
        aria-label={t('passkeyDecline')}
        data-testid="passkey-offer-dismiss"
        onClick={() => dispatch({ feature: 'embedded', event: { type: 'passkeyDeclined' } })}
      >
        <Icon name="close" />
      </button>
    </div>
  )
}
