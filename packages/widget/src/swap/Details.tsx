import type { SwapQuote } from '../generated/core.ts'
import { useSnapshot } from '../shell/react.tsx'
import { useAmount, useDollars } from '../text/amount.ts'
import { shortFee } from '../text/fee.ts'
import type { WriteAmount } from '../text/number.ts'
import { swapWords } from '../text/swap.ts'
import { useText } from '../text/text.tsx'
import { Fact, isSome } from '../ui/form.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Rest } from './Rest.tsx'

/** Share of the value that is lost, with its sign: within right-to-left words it stays in one piece. */
export function impactText({ priceImpact, impactAbout }: SwapQuote, write: WriteAmount): string | undefined {
  return priceImpact === null ? undefined : `${impactAbout ? '~' : ''}${write(priceImpact)}%`
}

/** The rate in one line; it unfolds all details of the price. */
export function Details() {
  const t = useText(swapWords)
  const write = useAmount()
  const rate = useSnapshot((snapshot) => snapshot.swap.quote?.rate)
  const from = useSnapshot((snapshot) => snapshot.swap.sourceToken?.symbol)
  const to = useSnapshot((snapshot) => snapshot.swap.toToken?.symbol)
  const there = useSnapshot((snapshot) => snapshot.swap.quote !== null)
  if (!there) return null
  return (
    <details className="price">
      <summary data-testid="swap-details">
        <Rest />
        <bdi dir="ltr">{rate ? `1 ${from} = ${write(rate)} ${to}` : t('swapDetails')}</bdi>
        <Icon name="down" />
      </summary>
      <Facts />
    </details>
  )
}

/** All facts about the price. */
function Facts() {
  const t = useText(swapWords)
  const quote = useSnapshot((snapshot) => snapshot.swap.quote)
  if (!quote) return null
  const way = quote.route.join(' → ') || quote.provider
  return (
    <dl className="facts">
      <Costs quote={quote} whole />
      {way && <Fact name={t('swapRoute')} value={way} />}
    </dl>
  )
}

/** The bound of the swap and what it costs; a low price impact only with `whole`, because it decides nothing. */
export function Costs({ quote, whole }: { quote: SwapQuote; whole?: boolean }) {
  const t = useText(swapWords)
  const write = useAmount()
  const dollars = useDollars()
  const from = useSnapshot((snapshot) => snapshot.swap.sourceToken?.symbol)
  const to = useSnapshot((snapshot) => snapshot.swap.toToken?.symbol)
  const coin = useSnapshot((snapshot) => snapshot.swap.networkSymbol)
  const { impact, networkFee, networkFeeInUSD } = quote
  const cent = impactText(quote, write)
  const fee = networkFee && t('about', `${write(shortFee(networkFee))} ${coin}`)
  const [bound, shown, exact, unit] =
    quote.maximumPaid && quote.maximumShown
      ? (['swapMaximum', quote.maximumShown, quote.maximumPaid, from] as const)
      : (['swapMinimum', quote.minimumShown, quote.minimumReceived, to] as const)
  return (
    <>
      <Fact
        name={t(bound)}
        value={`${write(shown)} ${unit}`}
        hint={t('swapMinimumHint', `${write(quote.slippage)}%`)}
        exact={`${write(exact)} ${unit}`}
      />
      {(whole || impact !== 'low') && (
        <Fact name={t('swapImpact')} value={cent ?? t('swapUnknown')} level={impact ?? undefined} />
      )}
      <Fact
        name={t('fee')}
        value={fee ?? t('feeUnknown')}
        hint={networkFeeInUSD ? dollars(networkFeeInUSD) : undefined}
        exact={networkFee ? `${write(networkFee)} ${coin}` : undefined}
      />
      {isSome(quote.providerFee) && (
        <Fact name={t('swapProviderFee')} value={`${write(quote.providerFee ?? '')}%`} hint={t('swapIncluded')} />
      )}
    </>
  )
}

/** Warning of a heavy loss: the amount worsens its own price so much that a part of it is gone. */
export function SevereImpact() {
  const t = useText(swapWords)
  const write = useAmount()
  const quote = useSnapshot((snapshot) => snapshot.swap.quote)
  return (
    <div role="status">
      {quote?.impact === 'severe' && (
        <p className="said wrong">
          <Icon name="warning" />
          <span>{t('swapImpactSevere', impactText(quote, write) ?? '')}</span>
        </p>
      )}
    </div>
  )
}

/** Other warnings before payment: the amount is large enough to worsen its own price, or the network fee is unusual. */
export function PriceWarnings() {
  const t = useText(swapWords)
  const write = useAmount()
  const quote = useSnapshot((snapshot) => snapshot.swap.quote)
  return (
    <div role="status">
      {quote?.impact === 'high' && (
        <p className="said warned">
          <Icon name="warning" />
          <span>{t(quote.impactAbout ? 'swapImpactAbout' : 'swapImpactHigh', impactText(quote, write) ?? '')}</span>
        </p>
      )}
      {(['feeUnusual', 'nodesElsewhere'] as const).map(
        (warning) =>
          quote?.[warning] && (
            <p key={warning} className="said warned">
              <Icon name="warning" />
              <span>{t(warning)}</span>
            </p>
          )
      )}
    </div>
  )
}
