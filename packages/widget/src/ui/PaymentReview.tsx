import type { ReactNode } from 'react'
import { useAmount, useDollars } from '../text/amount.ts'
import { sendWords } from '../text/send.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { CopyButton } from './CopyButton.tsx'
import { useFormStyle } from './form.tsx'
import { Icon } from './Icon.tsx'
import { Party } from './Party.tsx'
import { reviewCss } from './review.css.ts'
import { sendCss } from './send.css.ts'

/** Amounts with more characters are set smaller. */
const wide = 12

interface Copying {
  readonly text: string
  /** Text that was just copied. */
  readonly copied: string | null
  readonly onCopy: () => void
}

interface Side {
  /** Name or shortened address. */
  readonly name: string | null | undefined
  readonly picture: ReactNode
}

interface PaymentReviewProps {
  /** Exact amount. */
  readonly amount: string
  readonly symbol: string
  /** Value of the amount in US dollars. */
  readonly value: string | null
  readonly warnings: ReactNode
  readonly from: Side
  readonly to: Side
  /** The receiver's whole address, to be copied. */
  readonly copying: Copying
  /** Facts about the costs. */
  readonly facts: ReactNode
  /** Buttons and the state of the request. */
  readonly children: ReactNode
}

/** Review of a payment before it goes to the wallet. */
export function PaymentReview({
  amount: exact,
  symbol,
  value,
  warnings,
  from,
  to,
  copying,
  facts,
  children
}: PaymentReviewProps) {
  useFormStyle()
  useStyle(reviewCss)
  useStyle(sendCss)
  const t = useText(sendWords)
  const write = useAmount()
  const dollars = useDollars()
  const amount = write(exact)
  return (
    <div className="form review">
      <p className={amount.length > wide ? 'amount long' : 'amount'}>
        <bdi dir="ltr">
          {amount} <span>{symbol}</span>
        </bdi>
        {value && <small dir="ltr">{dollars(value)}</small>}
      </p>
      {warnings}
      <div className="sides">
        <Party name={t('from')} short={from.name}>
          {from.picture}
        </Party>
        <span className="medal">
          <Icon name="arrowDown" />
        </span>
        <Party
          name={t('to')}
          short={to.name}
          full={copying.text}
          copy={<CopyButton {...copying} label={t('copyAddress')} testid="review-copy" />}
        >
          {to.picture}
        </Party>
      </div>
      <dl className="facts boxed">{facts}</dl>
      {children}
    </div>
  )
}
