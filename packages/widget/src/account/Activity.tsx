import type { ActivityItem } from '../generated/core.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useDate } from '../text/date.ts'
import { useText } from '../text/text.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Lost } from '../ui/Lost.tsx'
import { More } from '../ui/More.tsx'
import { BoneRows } from '../ui/Row.tsx'
import { Deed } from './Deed.tsx'

/** What is on its way, and what was, by month. */
export function Activity() {
  const t = useText()
  const dispatch = useDispatch()
  const write = useDate()
  const list = useSnapshot((snapshot) => snapshot.activity)
  const sent = useSnapshot((snapshot) => snapshot.send.pendingHash)
  const more = () => dispatch({ feature: 'activity', event: { type: 'moreAsked', ticket: null } })
  const pending = sent !== null && <Pending />
  if (!list) return pending || <Nothing title={t('noActivity')} hint={t('noActivityHint')} />
  const { months, state } = list
  const bare = months.length === 0
  return (
    <>
      {pending}
      {bare && (state === 'unknown' || state === 'loading') && <BoneRows count={4} label={t('loading')} />}
      {bare && state === 'ready' && list.empty && !pending && (
        <Nothing title={t('noneActivity')} hint={t('noneActivityHint')} />
      )}
      {months.map(({ year, month, items }) => (
        <section className="month" key={`${year}-${month}`} aria-busy={state === 'more' || undefined}>
          <h2>{write.month(year, month)}</h2>
          <ul className="rows">
            {items.filter(isNot(sent)).map((item) => (
              <Deed key={item.id} item={item} />
            ))}
          </ul>
        </section>
      ))}
      {state === 'unavailable' && <Lost onRetry={more}>{t('activityUnavailable')}</Lost>}
      {(list.more || state === 'more') && <More key={list.revision} busy={state === 'more'} onWanted={more} />}
    </>
  )
}

/** What stands on top as on its way does not stand in the list as well. */
const isNot = (hash: string | null) => (item: ActivityItem) => hash === null || item.hash !== hash

function Nothing({ title, hint }: { title: string; hint: string }) {
  return (
    <div data-testid="empty-activity-state">
      <Empty icon="clock" testid="empty-account-state" title={title} hint={hint} />
    </div>
  )
}

/** The visitor's own transaction that is not mined yet. */
function Pending() {
  const t = useText()
  const url = useSnapshot((snapshot) => snapshot.send.pendingUrl)
  const line = (
    <>
      <span className="tile medal">
        <span className="spinner" />
      </span>
      <span className="name">
        <span>{t('onItsWay')}</span>
        <small>{t('onItsWayHint')}</small>
      </span>
    </>
  )
  if (!url) return <div className="row">{line}</div>
  return (
    <a className="row" href={url} target="_blank" rel="noopener noreferrer">
      {line}
      <Icon name="external" />
      <span className="unseen">{t('viewOnExplorer')}</span>
    </a>
  )
}
