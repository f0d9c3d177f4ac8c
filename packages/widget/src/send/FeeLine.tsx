import { useSnapshot } from '../shell/react.tsx'
import { useAmount } from '../text/amount.ts'
import { useText } from '../text/text.tsx'
import { Fault } from '../ui/Fault.tsx'
import { shortFee } from './fee.ts'

/** What the network takes at most. */
export function FeeLine() {
  const t = useText()
  const write = useAmount()
  const fee = useSnapshot((snapshot) => snapshot.send.fee)
  const value = useSnapshot((snapshot) => snapshot.send.feeValue)
  const symbol = useSnapshot((snapshot) => snapshot.send.feeSymbol)
  const missing = useSnapshot((snapshot) => snapshot.send.feeMissing)
  return (
    <>
      <dl className="facts">
        <div>
          <dt>{t('fee')}</dt>
          <dd title={fee ? `${write(fee)} ${symbol}` : undefined}>
            {fee ? t('about', `${write(shortFee(fee))} ${symbol}`) : t('feeUnknown')}
            {value && <small dir="ltr">${write(value)}</small>}
          </dd>
        </div>
      </dl>
      <Fault id="fee-fault">{missing && t('feeMissing')}</Fault>
    </>
  )
}
