import type { ActivityItem, InFlight } from '../generated/core.ts'
import { activeAccount } from '../shell/active.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { accountWords } from '../text/account.ts'
import { useDate } from '../text/date.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Empty } from '../ui/Empty.tsx'
import { Long } from '../ui/Long.tsx'
import { Lost } from '../ui/Lost.tsx'
import { More } from '../ui/More.tsx'
import { movesCss } from '../ui/moves.css.ts'
import { tokenCss } from '../ui/token.css.ts'
import { activityCss } from './activity.css.ts'
import { BoneDeeds } from './Bones.tsx'
import { Deed } from './Deed.tsx'
import { OnItsWay } from './OnItsWay.tsx'

/** Lists up to this length are rendered completely. */
const FEW = 20

const none: readonly InFlight[] = []

/** Pending transactions, then the history by month. */
export function Activity() {
  useStyle(tokenCss)
  useStyle(movesCss)
  useStyle(activityCss)
  const t = useText(accountWords)
  const dispatch = useDispatch()
  const write = useDate()
  const list = useSnapshot((snapshot) => snapshot.activity)
  const transfers = useSnapshot((snapshot) => snapshot.send.pending)
  const swaps = useSnapshot((snapshot) => snapshot.swap.pending)
  const solana = useSnapshot((snapshot) => snapshot.solana?.pending ?? none)
  const bitcoin = useSnapshot((snapshot) => snapshot.bitcoin?.pending ?? none)
  const sent = [...swaps, ...transfers, ...solana, ...bitcoin].sort((one, other) => other.since - one.since)
  const explored = useSnapshot((snapshot) => Boolean(activeAccount(snapshot)?.addressExplorerUrl))
  const elsewhere = t(explored ? 'noActivityHint' : 'noActivityElsewhere')
  const tab = useSnapshot((snapshot) => snapshot.modal.view === 'Account')
  const more = () => dispatch({ feature: 'activity', event: { type: 'moreAsked', ticket: null } })
  const pending = sent.length > 0 && <OnItsWay sent={sent} />
  // Payments that this page saw are listed where the server has no history, too.
  const unserved = !list || list.state === 'unserved'
  if (!list || (unserved && list.months.length === 0))
    return pending || <Nothing title={t('noActivity')} hint={elsewhere} />
  const { state } = list
  const bare = list.months.length === 0
  const coming = state === 'unknown' || state === 'loading'
  // A transaction that is shown as pending is left out of the list below.
  const above = new Set<string | null>(sent.map(({ hash }) => hash))
  const items = list.months.flatMap(({ items }) => items).filter(({ hash }) => !above.has(hash))
  // The core counts months in UTC. The visitor's months are those of the dates in the rows.
  const months = byMonth(items)
  const part = items.length > FEW
  return (
    <>
      {!bare && (state === 'outdated' || coming) && (
        <Lost busy={coming} onRetry={more}>
          {t('activityUnavailable')}
        </Lost>
      )}
      {pending}
      {bare && coming && <BoneDeeds />}
      {bare && state === 'ready' && list.empty && !pending && (
        <Nothing title={t('noneActivity')} hint={t('noneActivityHint')} />
      )}
      {tab && !bare && (part || list.more) && <SeeAll />}
      {months.map(({ month, items }, index) => (
        <section className="month" key={month} aria-busy={state === 'more' || undefined} data-testid="month-indexes">
          <h2 data-testid="group-title">{write.month(items[0]?.minedAt ?? '')}</h2>
          <Long
            items={items}
            keyOf={({ id }) => id}
            row={(item) => <Deed item={item} />}
            part={part}
            later={index > 0}
          />
        </section>
      ))}
      {unserved && (
        <div className="part" data-testid="activity-unserved">
          <strong>{t('noActivity')}</strong>
          <p>{elsewhere}</p>
        </div>
      )}
      {state === 'unavailable' && <Lost onRetry={more}>{t('activityUnavailable')}</Lost>}
      {(list.more || state === 'more') && <More key={list.revision} busy={state === 'more'} onWanted={more} />}
    </>
  )
}

/** Runs of transactions of one month. There may be thousands, so no date is formatted here. */
function byMonth(items: readonly ActivityItem[]): { month: number; items: ActivityItem[] }[] {
  const months: { month: number; items: ActivityItem[] }[] = []
  for (const item of items) {
    const at = new Date(item.minedAt)
    const month = at.getFullYear() * 12 + at.getMonth()
    const last = months.at(-1)
    if (last?.month === month) last.items.push(item)
    else months.push({ month, items: [item] })
  }
  return months
}

/** Button that opens the list in a view of its own. */
function SeeAll() {
  const t = useText(accountWords)
  const dispatch = useDispatch()
  return (
    <div className="all">
      <button
        type="button"
        data-testid="w3m-account-default-activity-button"
        data-ahead="Transactions"
        onClick={() => dispatch({ feature: 'modal', event: { type: 'viewAsked', view: 'Transactions' } })}
      >
        {t('seeAll')}
      </button>
    </div>
  )
}

function Nothing({ title, hint }: { title: string; hint: string }) {
  return (
    <div data-testid="empty-activity-state">
      <Empty icon="clock" testid="empty-account-state" title={title} hint={hint} />
    </div>
  )
}
