import { sendWords } from '../text/send.ts'
import { useText } from '../text/text.tsx'
import { Button } from './Button.tsx'
import { Floor } from './Floor.tsx'
import { Icon } from './Icon.tsx'

interface ConfirmPaymentProps {
  readonly phase: 'editing' | 'confirming' | 'refused' | 'failed' | 'unsure' | 'interrupted'
  /** The wallet takes long to respond. */
  readonly slow: boolean
  /** The wallet's name, and whether it may be on another device. */
  readonly wallet: { readonly name: string | undefined; readonly remote: boolean }
  /** Reason for which the payment was not sent. */
  readonly trouble: string | null
  /** Words of a node or of a program about it. */
  readonly detail: string | null
  /** Words of the wallet's error. */
  readonly error: string | undefined
  /** The receiver only looks like somebody who was paid. */
  readonly alike: boolean
  readonly onCancel: () => void
  readonly onConfirm: () => void
}

const maybe = { unsure: 'maybeSent', interrupted: 'interrupted' } as const

/** State of the request at the wallet, and the buttons of a reviewed payment. */
export function ConfirmPayment({
  phase,
  slow,
  wallet,
  trouble,
  detail,
  error,
  alike,
  onCancel,
  onConfirm
}: ConfirmPaymentProps) {
  const t = useText(sendWords)
  const confirming = phase === 'confirming'
  const wrong = !confirming && phase !== 'editing'
  const unsure = phase === 'unsure' || phase === 'interrupted'
  const ended = phase === 'refused' ? t('sendDeclined') : unsure ? t(maybe[phase]) : trouble
  const quote = detail ?? (phase === 'refused' ? null : error)
  const late = wallet.remote ? 'slowRemoteHint' : 'slowHint'
  return (
    <Floor>
      <div className={wrong ? 'said wrong' : 'said'} role="status">
        {wrong ? (
          <>
            <Icon name="warning" />
            <span>
              {ended ?? t('sendFailed')}
              {quote && <q dir="auto">{quote}</q>}
            </span>
          </>
        ) : (
          t(!confirming ? 'reviewHint' : slow ? late : 'confirmIn', wallet.name ?? t('yourWallet'))
        )}
      </div>
      <div className="choices">
        <Button onClick={onCancel}>{t('cancel')}</Button>
        <Button
          kind={alike ? 'grave' : 'primary'}
          icon={wrong ? 'retry' : 'send'}
          busy={confirming}
          data-testid="send-confirm"
          onClick={onConfirm}
        >
          {t(unsure ? 'sendAgain' : wrong ? 'tryAgain' : alike ? 'sendAnyway' : 'send')}
        </Button>
      </div>
    </Floor>
  )
}
