import type { InFlight, SwapInFlight } from '../generated/core.ts'
import { useDispatch } from '../shell/react.tsx'
import { accountWords } from '../text/account.ts'
import { useAmount } from '../text/amount.ts'
import { useText } from '../text/text.tsx'
import { Amount } from '../ui/Amount.tsx'
import { Icon } from '../ui/Icon.tsx'

type Pending = InFlight | SwapInFlight

/** The visitor's pending transactions and unfinished swaps, newest first. */
export function OnItsWay({ sent }: { sent: readonly Pending[] }) {
  const t = useText(accountWords)
  return (
    <ul className="rows way" aria-label={t('pendingMark')}>
      {sent.map((one) => (
        <li className="deed" key={one.hash} data-testid="activity-pending">
          {'step' in one && one.step === 'approved' ? <Unfinished one={one} /> : <Sent one={one} />}
        </li>
      ))}
    </ul>
  )
}

function Sent({ one }: { one: Pending }) {
  const t = useText(accountWords)
  const dispatch = useDispatch()
  const { amount, symbol, slow } = one
  // An approval moves nothing.
  const approval = 'step' in one && one.step === 'approval'
  const line = (
    <>
      <span className="tile medal">
        <span className="spinner" />
      </span>
      <span className="name">
        <span>{t(approval ? 'approvalOnItsWay' : 'onItsWay')}</span>
        <small>{t(slow ? 'onItsWaySlow' : 'onItsWayHint')}</small>
      </span>
      {!approval && (
        <span className="sum">
          <Amount value={amount} symbol={symbol}>
            <span className="unseen">{t('minus')} </span>
            <span aria-hidden="true">−</span>
          </Amount>
        </span>
      )}
    </>
  )
  return (
    <button
      type="button"
      className="row"
      data-ahead="TransactionDetails"
      onClick={() => dispatch({ feature: 'detail', event: { type: 'transactionAsked', id: one.hash } })}
    >
      {line}
    </button>
  )
}

/** An approved swap that is not signed yet: the form goes on with it. */
function Unfinished({ one: { amount, symbol, toSymbol } }: { one: SwapInFlight }) {
  const t = useText(accountWords)
  const write = useAmount()
  const dispatch = useDispatch()
  return (
    <button
      type="button"
      className="row"
      data-ahead="Swap"
      data-testid="activity-unfinished"
      onClick={() => dispatch({ feature: 'modal', event: { type: 'viewAsked', view: 'Swap' } })}
    >
      <span className="tile medal">
        <Icon name="swap" />
      </span>
      <span className="name">
        <span>{t('swapUnfinished')}</span>
        <small>{t('swapUnfinishedHint', `\u2066${write(amount)} ${symbol} → ${toSymbol}\u2069`)}</small>
      </span>
    </button>
  )
}
