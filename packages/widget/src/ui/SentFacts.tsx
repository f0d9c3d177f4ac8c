import { useAmount, useDollars } from '../text/amount.ts'
import { sendWords } from '../text/send.ts'
import { unpadded } from '../text/spelled.ts'
import { useText } from '../text/text.tsx'
import { CopyButton } from './CopyButton.tsx'
import { Fact } from './form.tsx'

interface SentFactsProps {
  readonly sent: {
    /** Exact amount. */
    readonly amount: string
    readonly symbol: string
    /** Its value in US dollars. */
    readonly value: string | null
    readonly receiver: string
    /** Name that the receiver was entered by. */
    readonly receiverName?: string | null
  }
  /** Text that was just copied. */
  readonly copied: string | null
  /** Copies the receiver. */
  readonly onCopy: () => void
}

/** Amount and receiver on the receipt of a payment. */
export function SentFacts({ sent, copied, onCopy }: SentFactsProps) {
  const t = useText(sendWords)
  const write = useAmount()
  const dollars = useDollars()
  const { amount, symbol, value, receiver, receiverName } = sent
  return (
    <>
      <Fact
        name={t('amount')}
        value={`${write(unpadded(amount))} ${symbol}`}
        hint={value ? dollars(value) : undefined}
        strong
      />
      <div>
        <dt>{t('to')}</dt>
        <dd>
          {receiverName && <bdi className="clip">{receiverName}</bdi>}
          <span className="copies">
            <bdi className="full" dir="ltr">
              {receiver}
            </bdi>
            <CopyButton
              text={receiver}
              copied={copied}
              onCopy={onCopy}
              label={t('copyAddress')}
              testid="send-receiver-copy"
            />
          </span>
        </dd>
      </div>
    </>
  )
}
