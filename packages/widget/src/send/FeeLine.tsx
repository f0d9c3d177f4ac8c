import { useSnapshot } from '../shell/react.tsx'
import { useAmount, useDollars } from '../text/amount.ts'
import { shortFee } from '../text/fee.ts'
import { sendWords } from '../text/send.ts'
import { useText } from '../text/text.tsx'
import { Fact, Fault } from '../ui/form.tsx'

/** Maximum network fee. */
export function FeeLine() {
  const t = useText(sendWords)
  const write = useAmount()
  const dollars = useDollars()
  const fee = useSnapshot((snapshot) => snapshot.send.fee)
  const value = useSnapshot((snapshot) => snapshot.send.feeValue)
  const symbol = useSnapshot((snapshot) => snapshot.send.feeSymbol)
  const missing = useSnapshot((snapshot) => snapshot.send.feeMissing)
  return (
    <>
      <dl className="facts">
        <Fact
          name={t('fee')}
          value={fee ? t('about', `${write(shortFee(fee))} ${symbol}`) : t('feeUnknown')}
          hint={value ? dollars(value) : undefined}
          exact={fee ? `${write(fee)} ${symbol}` : undefined}
        />
      </dl>
      <Fault id="fee-fault">{missing && t('feeMissing')}</Fault>
    </>
  )
}
