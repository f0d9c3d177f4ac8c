import type { SolanaView } from '../generated/core.ts'
import { useDispatch } from '../shell/react.tsx'
import { solanaWords } from '../text/solana.ts'
import { useText } from '../text/text.tsx'
import { AmountField } from '../ui/AmountField.tsx'
import { Pick } from '../ui/form.tsx'
import { Picture } from '../ui/Picture.tsx'

/** Amount and token to send. */
export function SolanaAmount({ solana }: { solana: SolanaView }) {
  const t = useText(solanaWords)
  const dispatch = useDispatch()
  const { amount, value, amountFault, token } = solana
  const silent = token?.state === 'unreadable'
  return (
    <AmountField
      amount={amount}
      value={value}
      fault={amountFault}
      symbol={token?.symbol ?? ''}
      decimals={token?.decimals}
      balance={token?.balance}
      shown={token?.shown}
      unknown={token ? t(silent ? 'balanceUnavailable' : 'tokenReading') : undefined}
      unread={silent ? t(token.address === null ? 'solanaBalanceUnread' : 'solanaTokenUnreadable') : undefined}
      maxHint={token?.address ? undefined : t('maxHint')}
      onTyped={(text) => dispatch({ feature: 'solana', event: { type: 'amountTyped', text } })}
      onMax={() => dispatch({ feature: 'solana', event: { type: 'maxAsked' } })}
    >
      {token && (
        <Pick
          label={t('chooseToken', token.symbol)}
          name={token.symbol}
          picture={
            <Picture
              src={token.iconUrl}
              name={token.symbol}
              of={token.address === null ? { coin: token.symbol } : undefined}
            />
          }
          ahead="SolanaSendSelectToken"
          testid="send-token"
          onClick={() => dispatch({ feature: 'modal', event: { type: 'viewAsked', view: 'SolanaSendSelectToken' } })}
        />
      )}
    </AmountField>
  )
}
