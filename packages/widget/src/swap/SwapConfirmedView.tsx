import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useAmount } from '../text/amount.ts'
import { swapWords } from '../text/swap.ts'
import { useText } from '../text/text.tsx'
import { Fact } from '../ui/form.tsx'
import { Receipt } from '../ui/Receipt.tsx'

/** Receipt of the signed swap. The amount received is the quoted one, which the network may have bettered or lowered. */
export function SwapConfirmedView() {
  const t = useText(swapWords)
  const write = useAmount()
  const dispatch = useDispatch()
  const sent = useSnapshot((snapshot) => snapshot.swap.sent)
  if (!sent) return null
  const { amount, symbol, toAmount, toSymbol, receipt } = sent
  return (
    <Receipt
      receipt={receipt}
      swap
      testid="swap"
      onCopy={() => dispatch({ feature: 'swap', event: { type: 'copyAsked' } })}
      onDone={() => dispatch({ feature: 'modal', event: { type: 'backAsked' } })}
    >
      <Fact name={t('swapPay')} value={`${write(amount)} ${symbol}`} strong />
      <Fact name={t('swapReceive')} value={t('about', `${write(toAmount)} ${toSymbol}`)} />
    </Receipt>
  )
}
