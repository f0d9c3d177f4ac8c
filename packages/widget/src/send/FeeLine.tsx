import { useSnapshot } from '../shell/react.tsx'
import { useAmount } from '../text/amount.ts'
import { useText } from '../text/text.tsx'

/** What the network takes at most. */
export function FeeLine() {
  const t = useText()
  const write = useAmount()
  const fee = useSnapshot((snapshot) => snapshot.send.fee)
  const symbol = useSnapshot((snapshot) => snapshot.send.token?.symbol)
  return (
    <dl className="facts">
      <div>
        <dt>{t('fee')}</dt>
        <dd>{fee ? t('about', `${write(fee)} ${symbol}`) : t('feeUnknown')}</dd>
      </div>
    </dl>
  )
}
