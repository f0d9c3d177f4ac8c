import type { ReactNode } from 'react'
import type { PaymentReceipt, SentState } from '../generated/core.ts'
import { useAmount } from '../text/amount.ts'
import { useDate } from '../text/date.ts'
import { paidFee } from '../text/fee.ts'
import type { KeyWith } from '../text/keys.ts'
import { receiptWords } from '../text/receipt.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Button, LinkButton } from './Button.tsx'
import { CopyButton } from './CopyButton.tsx'
import { Floor } from './Floor.tsx'
import { Fact, useFormStyle } from './form.tsx'
import { Icon } from './Icon.tsx'
import { receiptCss } from './receipt.css.ts'
import { reviewCss } from './review.css.ts'

type Word = KeyWith<typeof receiptWords>

const words: Readonly<Record<SentState, readonly [Word, Word?]>> = {
  pending: ['sentPending', 'sentPendingHint'],
  confirmed: ['sentConfirmed'],
  failed: ['sentFailed', 'sentFailedHint'],
  replaced: ['sentReplaced', 'sentReplacedHint'],
  lost: ['sentLost', 'sentLostHint'],
  expired: ['sentExpired', 'sentExpiredHint']
}

/** Hints that name the explorer, in words for a network without one. */
const unlinked: Partial<Record<Word, Word>> = {
  sentReplacedHint: 'sentReplacedUnlinked',
  sentLostHint: 'sentLostUnlinked'
}

/** Titles and hints of a swap where they differ. */
const swapped: Partial<typeof words> = {
  confirmed: ['swapConfirmed'],
  failed: ['sentFailed', 'swapFailedHint'],
  lost: ['sentLost', 'swapLostHint']
}

interface ReceiptProps {
  readonly receipt: PaymentReceipt
  readonly swap?: boolean
  /** Hint of a transaction on its way, where this network needs its own. */
  readonly pendingHint?: string
  /** Start of the test ids. */
  readonly testid: string
  /** Text that was just copied. */
  readonly copied: string | null
  readonly onCopy: () => void
  readonly onDone: () => void
  /** Facts about what was paid. */
  readonly children: ReactNode
}

/** Result of a transaction, as the network reports it, with all that identifies the transaction. */
export function Receipt({ receipt, swap, pendingHint, testid, copied, onCopy, onDone, children }: ReceiptProps) {
  useFormStyle()
  useStyle(reviewCss)
  useStyle(receiptCss)
  const t = useText(receiptWords)
  const write = useAmount()
  const date = useDate()
  const { state, slow, hash, hashShort, networkName, since, fee, feeSymbol, replacedBy, url } = receipt
  const [title, usual] = (swap && swapped[state]) || words[state]
  const again = state === 'confirmed' && replacedBy !== null
  const unknown = state === 'replaced' && replacedBy === null
  const linked =
    slow && state === 'pending' ? 'sentSlow' : again ? 'sentAgain' : unknown ? 'sentReplacedUnknown' : usual
  const hint = (!url && linked && unlinked[linked]) || linked
  const page = state !== 'replaced' ? 'viewOnExplorer' : unknown ? 'sentAccount' : 'sentOther'
  return (
    <div className="sent" data-testid={`${testid}-sent`} data-state={state}>
      <span className="seal" data-state={state}>
        {state === 'pending' ? (
          <span className="spinner" />
        ) : (
          <Icon name={state === 'confirmed' ? 'check' : state === 'lost' ? 'clock' : 'warning'} />
        )}
      </span>
      <div role="status">
        <h2>{t(title)}</h2>
        {hint && <p>{(hint === 'sentPendingHint' && pendingHint) || t(hint)}</p>}
      </div>
      <dl className="facts boxed">
        {children}
        {networkName && <Fact name={t('network')} value={networkName} />}
        <Fact name={t('receiptTime')} value={date.time(since)} />
        {fee && (
          <Fact
            name={t('receiptFee')}
            value={`${write(paidFee(fee))} ${feeSymbol}`}
            exact={`${write(fee)} ${feeSymbol}`}
          />
        )}
        {hash && (
          <div>
            <dt>{t('receiptHash')}</dt>
            <dd className="hash" title={hash}>
              <bdi dir="ltr">{hashShort}</bdi>
              <CopyButton
                text={hash}
                copied={copied}
                label={t('receiptCopy')}
                testid={`${testid}-copy`}
                onCopy={onCopy}
              />
            </dd>
          </div>
        )}
      </dl>
      <Floor>
        {url && (
          <LinkButton href={url} icon="external">
            {t(page)}
          </LinkButton>
        )}
        <Button kind="primary" data-focus="" data-testid={`${testid}-done`} onClick={onDone}>
          {t('nameDone')}
        </Button>
      </Floor>
    </div>
  )
}
