import type { ActivityItem, InFlight, Move, SwapInFlight, TransactionStatus } from '../generated/core.ts'
import { activeAccount } from '../shell/active.ts'
import { useDoubts } from '../shell/doubt.ts'
import { useSnapshot } from '../shell/react.tsx'
import { useDate } from '../text/date.ts'
import { deedWords } from '../text/deed.ts'
import { detailWords } from '../text/detail.ts'
import { paidFee } from '../text/fee.ts'
import type { KeyWith } from '../text/keys.ts'
import { MOST, spelled } from '../text/spelled.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Amount } from '../ui/Amount.tsx'
import { Icon } from '../ui/Icon.tsx'
import { isNowhere, kindOn, Medal, nowhere, Sum } from '../ui/Moves.tsx'
import { movesCss } from '../ui/moves.css.ts'
import { detailCss } from './detail.css.ts'
import { Explorer, Gone, Line, Wary, Whole } from './parts.tsx'

const states: Readonly<Record<TransactionStatus, KeyWith<typeof detailWords>>> = {
  confirmed: 'detailConfirmed',
  failed: 'failed',
  pending: 'pendingMark'
}

/** Details of a transaction: what it moved, with whom, when, and its hash. */
export function TransactionDetailsView() {
  useStyle(movesCss)
  useStyle(detailCss)
  const t = useText(detailWords)
  const word = useText(deedWords)
  const write = useDate()
  const detail = useSnapshot((snapshot) => snapshot.detail)
  const item = useSnapshot((snapshot) => {
    const all = snapshot.activity?.months.flatMap(({ items }) => items)
    // A pending transaction is known by its hash, and is in the list once it is mined.
    return all?.find(({ id, hash }) => id === snapshot.detail?.id || hash === snapshot.detail?.id)
  })
  const coin = useSnapshot((snapshot) => activeAccount(snapshot)?.balanceSymbol)
  const { each, worst } = useDoubts(item?.moves ?? [])
  const pending = useSnapshot(({ detail, send, swap, solana, bitcoin }) =>
    [...send.pending, ...swap.pending, ...(solana?.pending ?? []), ...(bitcoin?.pending ?? [])].find(
      ({ hash }) => hash === detail?.id
    )
  )
  const namespace = useSnapshot(({ network }) => network.activeNamespace)
  const hashName = t(namespace === 'eip155' ? 'detailHash' : 'detailTransactionId')
  if (detail && pending) return <PendingDetails one={pending} network={detail.network} hashName={hashName} />
  if (!detail || !item) return <Gone />
  const [kind, icon] = kindOn(namespace, item.kind)
  const tokens = tokensOf(item.moves)
  // The other party of an approval that the account signed is the token.
  const approves = item.kind === 'approve' && item.own
  const failed = item.status === 'failed'
  const head = failed ? t('failed') : word(kind)
  return (
    <div className="detail">
      <div className="hero">
        <Medal icon={failed ? 'warning' : icon} moves={item.moves} />
        <strong className={item.moves.length > 0 ? 'long' : failed ? 'failed' : undefined}>
          {item.moves.length === 0 && head}
          <span className={failed ? 'undone' : undefined}>
            {item.moves.map((move, index) => (
              <Sum
                whole
                key={`${move.sign}${move.name}${move.amount}`}
                move={move}
                doubted={each[index] !== undefined}
              />
            ))}
          </span>
        </strong>
        {item.moves.length > 0 && <span className={failed ? 'failed' : undefined}>{head}</span>}
      </div>
      {worst && <Wary doubt={worst} />}
      <dl>
        <Line name={t('detailStatus')}>
          <span className={failed ? 'failed' : undefined}>{t(states[item.status])}</span>
        </Line>
        <Line name={t('detailDate')}>
          <time dateTime={item.minedAt}>{write.time(item.minedAt)}</time>
        </Line>
        <Line name={t('network')}>{detail.network && <bdi>{detail.network}</bdi>}</Line>
        {approves ? (
          <ApprovalLines item={item} />
        ) : (
          <Line name={t('detailApp')}>{item.application && <bdi>{item.application}</bdi>}</Line>
        )}
        <Line name={t('detailFee')}>{item.fee && coin && <Amount value={paidFee(item.fee)} symbol={coin} />}</Line>
        {approves && <Whole name={t('detailSpender')} text={item.approval?.spender} testid="detail-spender" />}
        {approves && <TokenContract symbol={item.approval?.symbol} address={item.otherAddress} />}
        {!approves && <Party item={item} />}
        {tokens.map(({ name, contract, mark }) => (
          // A lookalike's contract is not that of the token whose symbol it has.
          <TokenContract key={contract} symbol={mark === null ? name : ''} address={contract} />
        ))}
        {tokens.every(({ contract }) => contract !== item.contract) && (
          <Whole name={t('detailContract')} text={item.contract} testid="detail-contract" />
        )}
        <Whole name={hashName} text={item.hash} testid="detail-hash" />
      </dl>
      <Explorer url={item.url} />
    </div>
  )
}

/** Contract of a token with this symbol, if it is known. On Solana a token is an address without a contract. */
function TokenContract({ symbol, address }: { symbol: string | null | undefined; address: string | null }) {
  const t = useText(detailWords)
  const solana = useSnapshot(({ network }) => network.activeNamespace === 'solana')
  const name = solana
    ? t('detailTokenAddress', symbol || t('detailToken'))
    : symbol
      ? t('detailTokenContract', symbol)
      : t('detailContract')
  const copy = symbol ? t('copyThis', name) : undefined
  return <Whole name={name} text={address} copy={copy} testid="detail-token-contract" />
}

/** Moved tokens whose contract is known, each once. */
function tokensOf(moves: readonly Move[]): Move[] {
  const known = moves.filter(({ contract }) => contract !== null)
  return known.filter(({ contract }, at) => known.findIndex((other) => other.contract === contract) === at)
}

/** The other party of a transaction; in words where it is nobody, unless the kind says it already. */
function Party({ item }: { item: ActivityItem }) {
  const t = useText(detailWords)
  const word = useText(deedWords)
  const { kind, own, otherAddress } = item
  const name = t(own ? 'detailTo' : 'from')
  if (!isNowhere(otherAddress) && !(kind === 'deploy' && !otherAddress))
    return <Whole name={name} text={otherAddress} copy={t('copyAddress')} testid="detail-other" />
  return kind === 'mint' || kind === 'burn' ? null : <Line name={name}>{word(nowhere(item))}</Line>
}

/** Lines of an approval: the token, how much of it may be spent, and by which application. */
function ApprovalLines({ item }: { item: ActivityItem }) {
  const t = useText(detailWords)
  const { approval } = item
  // The contract that an approval calls is the token. Its name is the server's, or its symbol where the server knows the token.
  const token = approval?.symbol ?? item.application
  return (
    <>
      <Line name={t('detailToken')}>{token && <bdi>{token}</bdi>}</Line>
      <Line name={t('detailAmount')}>
        {approval?.unlimited
          ? t('detailUnlimited')
          : approval?.amount && <Amount value={spelled(approval.amount, MOST, 0)} symbol={approval.symbol ?? ''} />}
      </Line>
      <Line name={t('detailApp')}>{approval?.spenderName && <bdi>{approval.spenderName}</bdi>}</Line>
    </>
  )
}

/** Details of a transaction that is not mined yet: what left, when, and its hash. */
function PendingDetails({
  one,
  network,
  hashName
}: {
  one: InFlight | SwapInFlight
  network: string | null
  hashName: string
}) {
  const t = useText(detailWords)
  const write = useDate()
  const sent = new Date(one.since).toISOString()
  // An approval moves nothing.
  const moves = !('step' in one && one.step === 'approval')
  return (
    <div className="detail" data-testid="detail-pending">
      <div className="hero">
        <span className="tile medal">
          <Icon name="clock" />
        </span>
        <strong>
          {moves && (
            <Amount value={one.amount} symbol={one.symbol}>
              <span className="unseen">{t('minus')} </span>
              <span aria-hidden="true">−</span>
            </Amount>
          )}
        </strong>
      </div>
      <dl>
        <Line name={t('detailStatus')}>{t('pendingMark')}</Line>
        <Line name={t('detailDate')}>
          <time dateTime={sent}>{write.time(sent)}</time>
        </Line>
        <Line name={t('network')}>{network && <bdi>{network}</bdi>}</Line>
        <Whole name={hashName} text={one.hash} testid="detail-hash" />
      </dl>
      <Explorer url={one.url} />
    </div>
  )
}
