import type { ActivityItem, Kind, Move } from '../generated/core.ts'
import { useAmount } from '../text/amount.ts'
import { useDate } from '../text/date.ts'
import { deedWords } from '../text/deed.ts'
import { useText } from '../text/text.tsx'
import { Anchor } from '../ui/Anchor.tsx'
import { Icon, type IconName } from '../ui/Icon.tsx'
import { Picture } from '../ui/Picture.tsx'
import { Tag } from '../ui/Tag.tsx'

const kinds: Readonly<Record<Kind, readonly [keyof typeof deedWords, IconName]>> = {
  approve: ['didApprove', 'check'],
  borrow: ['didBorrow', 'arrowDown'],
  burn: ['didBurn', 'close'],
  cancel: ['didCancel', 'close'],
  claim: ['didClaim', 'arrowDown'],
  deploy: ['didDeploy', 'layers'],
  deposit: ['didDeposit', 'send'],
  execute: ['didExecute', 'layers'],
  mint: ['didMint', 'plus'],
  receive: ['didReceive', 'arrowDown'],
  repay: ['didRepay', 'send'],
  send: ['didSend', 'send'],
  stake: ['didStake', 'layers'],
  trade: ['didTrade', 'swap'],
  unstake: ['didUnstake', 'layers'],
  withdraw: ['didWithdraw', 'arrowDown']
}

/** One transaction of the history: its kind, counterparty, time and moved amounts. */
export function Deed({ item }: { item: ActivityItem }) {
  const t = useText(deedWords)
  const write = useDate()
  const [word, icon] = kinds[item.kind]
  const whom = item.application ?? item.other
  const line = (
    <>
      <Medal icon={icon} moves={item.moves} />
      <span className="name">
        <span className="label">
          {t(word)}
          {item.status === 'failed' && <Tag kind="bad">{t('failed')}</Tag>}
          {item.status === 'pending' && <Tag kind="quiet">{t('pendingMark')}</Tag>}
        </span>
        <small className="when">
          <bdi className="clip">{whom}</bdi>
          {whom && <span aria-hidden="true">·</span>}
          <time dateTime={item.minedAt}>{write.day(item.minedAt)}</time>
        </small>
      </span>
      {item.moves.length > 0 && (
        <span className={item.status === 'failed' ? 'sum undone' : 'sum'}>
          {item.moves.map((move) => (
            <Sum key={`${move.sign}${move.name}${move.amount}`} move={move} />
          ))}
        </span>
      )}
    </>
  )
  return (
    <div className="deed" data-testid="activity-item">
      {item.url ? (
        <Anchor className="row" href={item.url} target="_blank" rel="noopener noreferrer">
          {line}
          <span className="unseen">{t('viewOnExplorer')}</span>
        </Anchor>
      ) : (
        <div className="row">{line}</div>
      )}
    </div>
  )
}

function Sum({ move }: { move: Move }) {
  const write = useAmount()
  const t = useText()
  const { sign } = move
  return (
    <bdi dir="ltr" className={sign === '+' ? 'clip gain' : 'clip'}>
      {sign && (
        <>
          <span className="unseen">{t(sign === '-' ? 'minus' : 'plus')} </span>
          {!move.amount?.startsWith('<') && <span aria-hidden="true">{sign === '-' ? '−' : sign}</span>}
        </>
      )}
      {move.amount === null ? move.name : `${write(move.amount)} ${move.name}`}
    </bdi>
  )
}

/** Icon of a transaction: up to two moved tokens with the mark of its kind; the mark alone where no token moved. */
function Medal({ icon, moves }: { icon: IconName; moves: readonly Move[] }) {
  if (moves.length === 0) {
    return (
      <span className="tile medal">
        <Icon name={icon} />
      </span>
    )
  }
  return (
    <span className={moves.length > 1 ? 'pair' : 'pair one'}>
      {moves.map((move) => (
        <Picture lazy key={`${move.sign}${move.name}`} src={move.picture} name={move.name} />
      ))}
      {moves.length === 1 && (
        <span className="did">
          <Icon name={icon} />
        </span>
      )}
    </span>
  )
}
