import type { InFlight } from '../generated/core.ts'
import { accountWords } from '../text/account.ts'
import { useText } from '../text/text.tsx'
import { Amount } from '../ui/Amount.tsx'
import { Anchor } from '../ui/Anchor.tsx'

/** The visitor's pending transactions, newest first. */
export function OnItsWay({ sent }: { sent: readonly InFlight[] }) {
  const t = useText(accountWords)
  return (
    <ul className="rows way" aria-label={t('pendingMark')}>
      {sent.map((one) => (
        <li className="deed" key={one.hash} data-testid="activity-pending">
          <Sent one={one} />
        </li>
      ))}
    </ul>
  )
}

function Sent({ one: { url, amount, symbol, slow } }: { one: InFlight }) {
  const t = useText(accountWords)
  const line = (
    <>
      <span className="tile medal">
        <span className="spinner" />
      </span>
      <span className="name">
        <span>{t('onItsWay')}</span>
        <small>{t(slow ? 'onItsWaySlow' : 'onItsWayHint')}</small>
      </span>
      <span className="sum">
        <Amount value={amount} symbol={symbol}>
          <span className="unseen">{t('minus')} </span>
          <span aria-hidden="true">−</span>
        </Amount>
      </span>
    </>
  )
  if (!url) return <div className="row">{line}</div>
  return (
    <Anchor className="row" href={url} target="_blank" rel="noopener noreferrer">
      {line}
      <span className="unseen">{t('viewOnExplorer')}</span>
    </Anchor>
  )
}
