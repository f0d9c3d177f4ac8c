import { useCopying } from '../shell/copying.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useAmount, useDollars } from '../text/amount.ts'
import { receiptWords } from '../text/receipt.ts'
import { significant, unpadded } from '../text/spelled.ts'
import { swapWords } from '../text/swap.ts'
import { useText } from '../text/text.tsx'
import { Fact } from '../ui/form.tsx'
import { Receipt } from '../ui/Receipt.tsx'

const words = { ...swapWords, ...receiptWords }

/** Receipt of the signed swap. The amount that was not typed is the quoted one until the mined transaction says the exact one. */
export function SwapConfirmedView() {
  const t = useText(words)
  const write = useAmount()
  const dollars = useDollars()
  const dispatch = useDispatch()
  const sent = useSnapshot((snapshot) => snapshot.swap.sent)
  const copying = useCopying(sent?.receipt.hash ?? '')
  if (!sent) return null
  const { amount, symbol, typed, paid, value, toAmount, toSymbol, received, toValue, receipt } = sent
  const done = receipt.state === 'confirmed'
  const bought = typed === 'toToken'
  // The typed amount has all its digits, as in the preview.
  const left = (amount: string) => `${write(bought ? significant(amount) : unpadded(amount))} ${symbol}`
  const came = (amount: string) => `${write(bought ? unpadded(amount) : significant(amount))} ${toSymbol}`
  const about = (text: string, sure: boolean) => (sure ? text : t('about', text))
  const paidSure = paid !== null || !bought
  const receivedSure = received !== null || bought
  return (
    <Receipt
      receipt={receipt}
      swap
      testid="swap"
      copied={copying.copied}
      onCopy={copying.onCopy}
      onDone={() => dispatch({ feature: 'modal', event: { type: 'backAsked' } })}
    >
      {/* A failed swap moved nothing. */}
      {receipt.state !== 'failed' && (
        <>
          <Fact
            name={t(done ? 'paid' : 'swapPay')}
            value={about(left(paid ?? amount), paidSure)}
            hint={value ? about(dollars(value), paidSure) : undefined}
            exact={bought ? `${write(paid ?? amount)} ${symbol}` : undefined}
            strong
          />
          <Fact
            name={t(done ? 'received' : 'swapReceive')}
            value={about(came(received ?? toAmount), receivedSure)}
            hint={toValue ? about(dollars(toValue), receivedSure) : undefined}
            exact={`${write(received ?? toAmount)} ${toSymbol}`}
            strong
          />
        </>
      )}
    </Receipt>
  )
}
