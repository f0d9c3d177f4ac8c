import type { SwapContract, SwapFault, SwapPhase, SwapSimulation, SwapToken, SwapView } from '../generated/core.ts'
import { useActiveWallet } from '../shell/active.ts'
import { useCopying } from '../shell/copying.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useAmount, useDollars } from '../text/amount.ts'
import type { KeyWith } from '../text/keys.ts'
import { previewWords } from '../text/preview.ts'
import { useText } from '../text/text.tsx'
import { tokenWords } from '../text/token.ts'
import { useStyle } from '../theme/style.ts'
import { Anchor } from '../ui/Anchor.tsx'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Floor } from '../ui/Floor.tsx'
import { Fitted, useFormStyle } from '../ui/form.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Picture } from '../ui/Picture.tsx'
import { reviewCss } from '../ui/review.css.ts'
import { Costs, impactText, PriceWarnings, SevereImpact } from './Details.tsx'
import { previewCss } from './preview.css.ts'
import { SlippageWarning } from './Slippage.tsx'
import { swapCss } from './swap.css.ts'

const busyPhases: ReadonlySet<SwapPhase> = new Set([
  'revoking',
  'approving',
  'approvalPending',
  'building',
  'confirming',
  'silent'
])

/** Messages of the phases that need no action here, or only one in the wallet. */
const goingOn: Partial<Record<SwapPhase, KeyWith<typeof previewWords>>> = {
  revoking: 'swapRevoking',
  approving: 'swapApproving',
  approvalPending: 'swapApprovalPending',
  building: 'swapBuilding',
  confirming: 'confirmIn',
  silent: 'sendSilent'
}

const faults: Readonly<Record<SwapFault, KeyWith<typeof previewWords>>> = {
  approvedTooLittle: 'swapTooLittle',
  approvalReverted: 'swapApprovalReverted',
  approvalLate: 'swapApprovalLate',
  notBuilt: 'swapNotBuilt',
  fails: 'swapFails',
  takesMore: 'swapTakesMore',
  mismatch: 'swapMismatch'
}

/** Hint below the facts by the state of the simulation, because only a simulation shows what the tokens do, or by the way of an approval. */
const leastHints = {
  running: 'swapTestHint',
  done: 'swapReviewHint',
  unavailable: 'swapUntestedHint',
  approve: 'swapApproveHint',
  together: 'swapTogetherHint'
} as const satisfies Record<SwapSimulation | 'approve' | 'together', KeyWith<typeof previewWords>>

/** The same where the amount to receive was typed. */
const mostHints = {
  ...leastHints,
  done: 'swapReviewMostHint',
  approve: 'swapApproveMostHint',
  together: 'swapTogetherMostHint'
} as const

/** Review of the swap before it goes to the wallet. */
export function SwapPreviewView() {
  useFormStyle()
  useStyle(reviewCss)
  useStyle(swapCss)
  useStyle(previewCss)
  const t = useText(previewWords)
  const write = useAmount()
  const swap = useSnapshot((snapshot) => snapshot.swap)
  const { quote, sourceToken, toToken } = swap
  const most = quote?.maximumShown
  // The warning has its place beside the button that it is about. Once that was pressed, a question of its own names the loss.
  const heavy = swap.phase === 'editing' && quote?.impact === 'severe'
  return (
    <div className="form swap preview">
      <div className="sides">
        <Side
          name={t(most ? 'swapPayMost' : 'swapPay')}
          token={sourceToken}
          amount={write(most ?? swap.sourceTokenAmount)}
          fiat={swap.sourceTokenPriceInUSD}
        />
        <span className="medal">
          <Icon name="arrowDown" />
        </span>
        <Side
          name={t('swapReceive')}
          token={toToken}
          amount={quote ? write(quote.toTokenShown) : null}
          fiat={swap.toTokenPriceInUSD}
        />
      </div>
      {quote && (
        <dl className="facts boxed">
          <Costs quote={quote} />
          {quote.contract && <Contract of={quote.contract} />}
        </dl>
      )}
      <PriceWarnings />
      <SlippageWarning />
      {heavy && <Said />}
      <Floor>
        {heavy ? <SevereImpact /> : <Said />}
        <Choices />
      </Floor>
    </div>
  )
}

/** Contract that exchanges, by its name and address. */
function Contract({ of: { name, address, shown, url } }: { of: SwapContract }) {
  const t = useText(previewWords)
  const short = <bdi dir="ltr">{shown}</bdi>
  return (
    <div className="contract">
      <dt>{t('swapContract')}</dt>
      <dd title={address}>
        <bdi>{name}</bdi>
        <small className="copies">
          {url ? (
            <Anchor href={url} target="_blank" rel="noreferrer" title={t('viewOnExplorer')}>
              {short}
            </Anchor>
          ) : (
            short
          )}
          <CopyAddress address={address} name={name} />
        </small>
        <FullAddress address={address} />
      </dd>
    </div>
  )
}

type SideProps = { name: string; token: SwapToken | null; amount: string | null; fiat: string | null }

function Side({ name, token, amount, fiat }: SideProps) {
  const dollars = useDollars()
  return (
    <div className="field side">
      <div className="line">
        <small>{name}</small>
        {fiat !== null && (
          <small>
            <bdi dir="ltr">{dollars(fiat)}</bdi>
          </small>
        )}
      </div>
      <div className="line">
        <Fitted text={amount}>
          <strong className="big">
            {amount === null ? <i className="word bone" /> : <bdi dir="ltr">{amount}</bdi>}
          </strong>
        </Fitted>
        <span className="pill">
          <Picture
            src={token?.iconUrl}
            name={token?.symbol ?? ''}
            of={token?.contract === null ? { coin: token.symbol } : undefined}
          />
          <bdi className="clip">{token?.symbol}</bdi>
        </span>
      </div>
      {token?.contract && (
        <small className="contract" title={token.contract}>
          <span className="copies">
            <bdi dir="ltr">{token.contractShown}</bdi>
            <CopyAddress address={token.contract} name={token.symbol} />
          </span>
          <FullAddress address={token.contract} />
        </small>
      )}
    </div>
  )
}

/** Whether the visitor declined only the second step: the allowance on the chain suffices. */
function isApproved({ phase, pending, quote }: Pick<SwapView, 'phase' | 'pending' | 'quote'>): boolean {
  return phase === 'refused' && quote?.approvalNeeded === false && pending.some(({ step }) => step === 'approved')
}

/** Current phase of the swap, or its error. */
function Said() {
  const t = useText(previewWords)
  const write = useAmount()
  const wallet = useActiveWallet()
  const { phase, fault, error, slow, quote, simulation, sourceToken, sourceTokenAmount, toToken, pending } =
    useSnapshot((snapshot) => snapshot.swap)
  const name = wallet.name ?? t('yourWallet')
  if (isApproved({ phase, pending, quote })) {
    return (
      <div className="said" role="status">
        <span>{t('swapApproved', sourceToken?.symbol ?? '')}</span>
      </div>
    )
  }
  if (phase === 'refused' || phase === 'failed' || phase === 'unsure' || phase === 'interrupted') {
    const failed = fault ? faults[fault] : 'swapFailed'
    const said = { refused: 'swapDeclined', failed, unsure: 'maybeSent', interrupted: 'interrupted' } as const
    return (
      <div className="said wrong" role="status">
        <Icon name="warning" />
        <span>
          {t(said[phase])}
          {phase !== 'refused' && error?.message && <q dir="auto">{error.message}</q>}
        </span>
      </div>
    )
  }
  const most = quote?.maximumShown
  const minimum = `${write(quote?.minimumShown ?? '')} ${toToken?.symbol}`
  const paid = `${write(most ?? sourceTokenAmount)} ${sourceToken?.symbol}`
  if (phase === 'costly') {
    const lost = quote && impactText(quote, write)
    return (
      <div className="said wrong" role="status">
        <Icon name="warning" />
        <span>{lost ? t('swapCostly', lost) : t(most ? 'swapUnvaluedMost' : 'swapUnvalued', paid, minimum)}</span>
      </div>
    )
  }
  if (phase === 'outdated' || phase === 'unproven') {
    return (
      <div className="said warned" role="status">
        <Icon name="warning" />
        <span>
          {most
            ? t(phase === 'outdated' ? 'swapOutdatedMost' : 'swapUnprovenMost', paid)
            : t(phase === 'outdated' ? 'swapOutdated' : 'swapUnproven', minimum)}
        </span>
      </div>
    )
  }
  const asks = phase === 'revoking' || phase === 'approving' || phase === 'confirming'
  const hints = most ? mostHints : leastHints
  const untested = simulation === 'unavailable'
  const first =
    untested || !quote?.approvalNeeded ? hints[simulation ?? 'running'] : hints[quote.together ? 'together' : 'approve']
  const words = asks && slow ? (wallet.remote ? 'slowRemoteHint' : 'slowHint') : (goingOn[phase] ?? first)
  const approved = pending.some(({ step }) => step === 'approved')
  const step = !busyPhases.has(phase) || quote?.together ? null : quote?.approvalNeeded ? '1' : approved ? '2' : null
  return (
    <div className="said" role="status">
      <span>
        {step && <strong>{t('swapStep', step)} </strong>}
        {t(phase === 'approving' && quote?.apart && !slow ? 'swapApart' : words, name)}
      </span>
    </div>
  )
}

function Choices() {
  const t = useText(previewWords)
  const dispatch = useDispatch()
  const { phase, unread, quote, pending } = useSnapshot((snapshot) => snapshot.swap)
  const outdated = phase === 'outdated'
  const unsure = phase === 'unsure' || phase === 'interrupted'
  const refused = phase === 'refused' && !isApproved({ phase, pending, quote })
  const wrong = unsure || refused || phase === 'failed'
  const costly = phase === 'costly'
  const severe = quote?.impact === 'severe'
  const loses = phase === 'editing' && severe
  return (
    <div className="choices">
      <Button onClick={() => dispatch({ feature: 'modal', event: { type: 'backAsked' } })}>{t('cancel')}</Button>
      <Button
        kind={costly || severe ? 'grave' : 'primary'}
        icon={wrong ? 'retry' : outdated ? 'check' : 'swap'}
        busy={busyPhases.has(phase)}
        resting={unread}
        data-testid="swap-action-button"
        onClick={() => dispatch({ feature: 'swap', event: { type: outdated ? 'priceAccepted' : 'confirmAsked' } })}
      >
        {t(
          unsure
            ? 'sendAgain'
            : wrong
              ? 'tryAgain'
              : outdated
                ? 'swapAccept'
                : costly || phase === 'unproven' || loses
                  ? 'swapAnyway'
                  : quote?.approvalNeeded
                    ? 'swapApprove'
                    : 'titleSwap'
        )}
      </Button>
    </div>
  )
}

/** Button beside an address that copies it whole, to compare it elsewhere. */
function CopyAddress({ address, name }: { address: string; name: string }) {
  const t = useText(tokenWords)
  return <CopyButton {...useCopying(address)} label={t('copyThis', name)} testid="review-copy" />
}

/** The whole address below its shortened form, to compare it in place. */
function FullAddress({ address }: { address: string }) {
  return (
    <bdi className="full" dir="ltr">
      {address}
    </bdi>
  )
}
