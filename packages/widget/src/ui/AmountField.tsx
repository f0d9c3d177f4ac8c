import type { ReactNode } from 'react'
import type { AmountFault } from '../generated/core.ts'
import { useAmount, useDollars } from '../text/amount.ts'
import { sendWords } from '../text/send.ts'
import { useText } from '../text/text.tsx'
import { namedIn } from '../text/typed.ts'
import { Button } from './Button.tsx'
import { AmountInput, Fault, isSome } from './form.tsx'
import { useSettled } from './settled.ts'

/** What is missing is said by the button, and by a message once it was pressed. */
const faults: Readonly<Record<Exclude<AmountFault, 'missing'>, keyof typeof sendWords>> = {
  notANumber: 'amountNotANumber',
  signed: 'amountSigned',
  exponent: 'amountExponent',
  ambiguous: 'amountAmbiguous',
  tooPrecise: 'amountTooPrecise',
  zero: 'amountZero',
  aboveBalance: 'amountAboveBalance',
  balanceDisputed: 'amountDisputed',
  insufficientGas: 'amountInsufficientGas'
}

interface AmountFieldProps {
  /** Amount as typed. */
  readonly amount: string
  /** Its value in US dollars. */
  readonly value: string | null
  readonly fault: AmountFault | null
  readonly symbol: string
  /** Most decimals of an amount. */
  readonly decimals: number | null | undefined
  /** Exact balance. */
  readonly balance: string | null | undefined
  /** Balance as it is shown. */
  readonly shown: string | null | undefined
  /** Words in the place of a balance that is not known. */
  readonly unknown: string | undefined
  /** Error of the balance. */
  readonly unread?: string | undefined
  /** Explanation of the button for the maximum. */
  readonly maxHint: string | undefined
  /** The token to send. */
  readonly children: ReactNode
  readonly onTyped: (text: string) => void
  readonly onMax: () => void
}

/** Amount to send: its value, the balance, and the button for all of it. */
export function AmountField({
  amount,
  value,
  fault: found,
  symbol,
  decimals,
  balance,
  shown,
  unknown,
  unread,
  maxHint,
  children,
  onTyped,
  onMax
}: AmountFieldProps) {
  const t = useText(sendWords)
  const write = useAmount()
  const dollars = useDollars()
  const [fault, settle] = useSettled(amount, found)
  return (
    <div className={fault || unread ? 'field wrong' : 'field'}>
      <label htmlFor="amount">{t('amount')}</label>
      <div className="line">
        <AmountInput
          id="amount"
          value={amount}
          wrong={fault !== null}
          onLeft={settle}
          describedBy="amount-fault amount-value amount-available"
          testid="send-amount"
          onTyped={onTyped}
        />
        {children}
      </div>
      <div className="line">
        <span className="under">
          <bdi id="amount-value" dir="ltr">
            {value && dollars(value)}
          </bdi>
          <span id="amount-available" title={balance ? `${write(balance)} ${symbol}` : undefined}>
            {shown ? t('available', `${write(shown)} ${symbol}`) : unknown}
          </span>
        </span>
        <Button kind="plain" title={maxHint} disabled={!isSome(balance)} data-testid="send-max" onClick={onMax}>
          {t('max')}
        </Button>
      </div>
      <Fault id="amount-fault" unseen={fault === 'aboveBalance'}>
        {(fault && fault !== 'missing' && t(faults[fault], ...namedIn(fault, amount, String(decimals ?? '')))) ||
          unread}
      </Fault>
    </div>
  )
}
