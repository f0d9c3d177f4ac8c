import type { AccountState } from '../generated/core.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useAmount } from '../text/amount.ts'
import { useText } from '../text/text.tsx'
import { Amount } from '../ui/Amount.tsx'
import { Button } from '../ui/Button.tsx'
import { isBalanceComing } from './coming.ts'

/** Amounts with more characters are set smaller, to fit on one line. */
const wide = 13

/** Native balance: the amount, a loading state, or a failure with a retry. Renders nothing where no balance is read. */
export function Balance({ account }: { account: AccountState }) {
  const t = useText()
  const write = useAmount()
  const dispatch = useDispatch()
  const unsupported = useSnapshot((snapshot) => snapshot.network.unsupported)
  const { balance, balanceSymbol, balanceState } = account
  if (balanceState === 'unknown' && !isBalanceComing(account)) return null
  if (balanceState === 'unavailable') {
    return (
      <div className="balance unread">
        <span>{t('balanceUnavailable')}</span>
        {!unsupported && (
          <Button
            kind="plain"
            icon="retry"
            onClick={() => dispatch({ feature: 'account', event: { type: 'refreshAsked', ticket: null } })}
          >
            {t('tryAgain')}
          </Button>
        )}
      </div>
    )
  }
  if (balance === null) {
    return (
      <div className="balance" role="status" aria-label={t('loading')}>
        <i className="word bone" />
      </div>
    )
  }
  const written = write(balance)
  const point = balance.includes('.') ? balance.indexOf('.') - balance.length : undefined
  return (
    <>
      <div
        className={written.length > wide ? 'balance long' : 'balance'}
        data-testid="balance-amount"
        aria-busy={balanceState === 'refreshing' || undefined}
      >
        <bdi dir="ltr">
          {written.slice(0, point)}
          {point && <small>{written.slice(point)}</small>} <span>{balanceSymbol}</span>
        </bdi>
      </div>
      {account.totalValue && (
        <p className="worth" data-testid="total-value">
          {t('total')} <Amount value={account.totalValue} />
        </p>
      )}
    </>
  )
}
