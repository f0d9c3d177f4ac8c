import type { SentState } from '../generated/core.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useAmount } from '../text/amount.ts'
import type { KeyWith } from '../text/keys.ts'
import { sendWords } from '../text/send.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Button, LinkButton } from '../ui/Button.tsx'
import { Fact, useFormStyle } from '../ui/form.tsx'
import { Icon } from '../ui/Icon.tsx'
import { reviewCss } from '../ui/review.css.ts'
import { sendCss } from './send.css.ts'

const words: Readonly<Record<SentState, readonly [KeyWith<typeof sendWords>, KeyWith<typeof sendWords>?]>> = {
  pending: ['sentPending', 'sentPendingHint'],
  confirmed: ['sentConfirmed'],
  failed: ['sentFailed', 'sentFailedHint'],
  replaced: ['sentReplaced', 'sentReplacedHint'],
  lost: ['sentLost', 'sentLostHint']
}

/** Result of the transaction, as the network reports it. */
export function WalletSendConfirmedView() {
  useFormStyle()
  useStyle(reviewCss)
  useStyle(sendCss)
  const t = useText(sendWords)
  const write = useAmount()
  const dispatch = useDispatch()
  const sent = useSnapshot((snapshot) => snapshot.send.sent)
  if (!sent) return null
  const { state, slow, amount, symbol, receiver, receiverName, receiverShort, replacedBy, url } = sent
  const [title, usual] = words[state]
  const again = state === 'confirmed' && replacedBy !== null
  const unknown = state === 'replaced' && replacedBy === null
  const hint = slow && state === 'pending' ? 'sentSlow' : again ? 'sentAgain' : unknown ? 'sentReplacedUnknown' : usual
  const page = state !== 'replaced' ? 'viewOnExplorer' : unknown ? 'sentAccount' : 'sentOther'
  return (
    <div className="sent" data-testid="send-sent" data-state={state}>
      <span className={`seal ${state}`}>
        {state === 'pending' ? (
          <span className="spinner" />
        ) : (
          <Icon name={state === 'confirmed' ? 'check' : state === 'lost' ? 'clock' : 'warning'} />
        )}
      </span>
      <div role="status">
        <h2>{t(title)}</h2>
        {hint && <p>{t(hint)}</p>}
      </div>
      <dl className="facts boxed">
        <Fact name={t('amount')} value={`${write(amount)} ${symbol}`} strong />
        <div>
          <dt>{t('to')}</dt>
          <dd title={receiver}>
            {receiverName && <bdi className="clip">{receiverName}</bdi>}
            <bdi dir="ltr">{receiverShort}</bdi>
          </dd>
        </div>
      </dl>
      <div className="after">
        {url && (
          <LinkButton href={url} icon="external">
            {t(page)}
          </LinkButton>
        )}
        <Button
          kind="primary"
          data-focus=""
          data-testid="send-done"
          onClick={() => dispatch({ feature: 'modal', event: { type: 'backAsked' } })}
        >
          {t('nameDone')}
        </Button>
      </div>
    </div>
  )
}
