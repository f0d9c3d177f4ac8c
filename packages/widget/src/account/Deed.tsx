import type { ActivityItem } from '../generated/core.ts'
import { useDoubts } from '../shell/doubt.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useDate } from '../text/date.ts'
import { deedWords } from '../text/deed.ts'
import { useText } from '../text/text.tsx'
import { DoubtTag } from '../ui/Doubt.tsx'
import { isNowhere, kindOn, Medal, nowhere, Sum } from '../ui/Moves.tsx'
import { Tag } from '../ui/Tag.tsx'

/** Address that is shortened: it is shown whole or not at all. */
const SHORTENED = /^\S+…\S+$/

/** One transaction of the history: its kind, counterparty, time and moved amounts. It opens the details. */
export function Deed({ item }: { item: ActivityItem }) {
  const t = useText(deedWords)
  // "Minted" and "Burned" say already where it came from and went.
  const nobody = (item: ActivityItem) => (item.kind === 'mint' || item.kind === 'burn' ? null : t(nowhere(item)))
  const dispatch = useDispatch()
  const write = useDate()
  const { each, worst } = useDoubts(item.moves)
  const spam = each.length > 0 && each.every(Boolean)
  const namespace = useSnapshot(({ network }) => network.activeNamespace)
  const [word, icon] = kindOn(namespace, item.kind)
  // A transfer is with a person, whatever contract it goes through.
  const direct = item.kind === 'send' || item.kind === 'receive'
  const whom = (!direct && item.application) || (isNowhere(item.otherAddress) ? nobody(item) : item.other)
  return (
    <div className={spam ? 'deed quiet' : 'deed'} data-testid="activity-item">
      <button
        type="button"
        // One amount stands beside the first line alone, and the second line has the whole width.
        className={item.moves.length === 1 ? 'row lone' : 'row'}
        data-testid={`activity-${item.id}`}
        data-ahead="TransactionDetails"
        onClick={() => dispatch({ feature: 'detail', event: { type: 'transactionAsked', id: item.id } })}
      >
        <Medal icon={icon} moves={item.moves} />
        <span className="name">
          <span className="label">
            {t(word)}
            <DoubtTag doubt={worst} />
            {item.status === 'failed' && <Tag kind="bad">{t('failed')}</Tag>}
            {item.status === 'pending' && <Tag kind="quiet">{t('pendingMark')}</Tag>}
          </span>
          <small className="when">
            <time dateTime={item.minedAt}>{write.day(item.minedAt)}</time>
            {whom && (
              <span className={SHORTENED.test(whom) ? 'clip hex' : 'clip'}>
                <span aria-hidden="true">·</span>
                <bdi title={whom === item.application ? whom : (item.otherAddress ?? undefined)}>{whom}</bdi>
              </span>
            )}
          </small>
        </span>
        {item.moves.length > 0 && (
          <span className={item.status === 'failed' ? 'sum undone' : 'sum'}>
            {item.moves.map((move, index) => (
              <Sum key={`${move.sign}${move.name}${move.amount}`} move={move} doubted={each[index] !== undefined} />
            ))}
          </span>
        )}
      </button>
    </div>
  )
}
