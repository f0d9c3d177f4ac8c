import type { BitcoinView } from '../generated/core.ts'
import { useDispatch } from '../shell/react.tsx'
import { bitcoinWords } from '../text/bitcoin.ts'
import { useText } from '../text/text.tsx'
import { AmountField } from '../ui/AmountField.tsx'
import { Picture } from '../ui/Picture.tsx'

/** A satoshi is the smallest unit. */
const DECIMALS = 8

/** Amount to send, in the coin of the network: there is no other. */
export function BitcoinAmount({ bitcoin }: { bitcoin: BitcoinView }) {
  const t = useText(bitcoinWords)
  const dispatch = useDispatch()
  const { amount, value, amountFault, symbol, iconUrl, balance, unread } = bitcoin
  return (
    <AmountField
      amount={amount}
      value={value}
      fault={amountFault}
      symbol={symbol}
      decimals={DECIMALS}
      balance={balance}
      // All decimals: the smallest amounts that people send are below the three that other balances show.
      shown={balance}
      unknown={t(unread ? 'balanceUnavailable' : 'tokenReading')}
      maxHint={t('maxHint')}
      onTyped={(text) => dispatch({ feature: 'bitcoin', event: { type: 'amountTyped', text } })}
      onMax={() => dispatch({ feature: 'bitcoin', event: { type: 'maxAsked' } })}
    >
      <span className="pill">
        <Picture src={iconUrl} name={symbol} of={{ coin: symbol }} />
        <bdi className="clip">{symbol}</bdi>
      </span>
    </AmountField>
  )
}
