import { useDispatch, useSnapshot } from '../shell/react.tsx'
import type { KeyWith } from '../text/keys.ts'
import { swapWords } from '../text/swap.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Floor } from '../ui/Floor.tsx'
import { useFormStyle } from '../ui/form.tsx'
import { Lost } from '../ui/Lost.tsx'
import { Lazy, Part } from '../ui/lazy.tsx'
import { Details, PriceWarnings, SevereImpact } from './Details.tsx'
import { Slippage, SlippageWarning } from './Slippage.tsx'
import { PayField, ReceiveField } from './SwapField.tsx'
import { swapCss } from './swap.css.ts'

/** A file of its own, because visitors rarely come here on a network without swaps. */
const unsupported = new Lazy<'Unsupported'>(
  () => () => import('./Unsupported.tsx').then((module) => module.Unsupported)
)

/** Swap form: both tokens, amount and price. The core validates each keystroke. */
export function SwapView() {
  useFormStyle()
  useStyle(swapCss)
  const t = useText(swapWords)
  const dispatch = useDispatch()
  const offer = useSnapshot((snapshot) => snapshot.swap.offer)
  if (offer === 'unsupported') return <Part of={unsupported} name="Unsupported" skeleton={Bones} />
  if (offer === 'loading') return <Bones />
  if (offer === 'unavailable') {
    return (
      <Lost onRetry={() => dispatch({ feature: 'swap', event: { type: 'retryAsked' } })}>
        {t('swapTokensUnavailable')}
      </Lost>
    )
  }
  return <Form />
}

/** Skeleton of both sides of the swap. */
function Bones() {
  const t = useText()
  return (
    <div className="form swap" role="status" aria-label={t('loading')}>
      <i className="field bone" />
      <i className="field bone" />
    </div>
  )
}

function Form() {
  const t = useText(swapWords)
  const dispatch = useDispatch()
  const quoteFault = useSnapshot((snapshot) => snapshot.swap.quoteFault)
  // The price of an amount that nobody can pay is of no interest.
  const payable = useSnapshot((snapshot) => snapshot.swap.amountFault !== 'aboveBalance')
  return (
    <form
      className="form swap"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        dispatch({ feature: 'swap', event: { type: 'reviewAsked' } })
      }}
    >
      <div className="sides">
        <PayField />
        <IconButton
          icon="arrowDown"
          label={t('swapFlip')}
          data-testid="swap-flip-button"
          onClick={() => dispatch({ feature: 'swap', event: { type: 'flipAsked' } })}
        />
        <ReceiveField />
      </div>
      {payable && <SevereImpact />}
      {payable && <PriceWarnings />}
      {quoteFault === 'unavailable' ? (
        <Lost onRetry={() => dispatch({ feature: 'swap', event: { type: 'retryAsked' } })}>{t('swapNoQuote')}</Lost>
      ) : (
        <Details />
      )}
      <div role="status">{quoteFault === 'noRoute' && <p className="said">{t('swapNoRouteHint')}</p>}</div>
      <Slippage />
      <SlippageWarning />
      <Floor>
        <Approved />
        <Action />
      </Floor>
    </form>
  )
}

/** Says that the first of two steps is done, where the form goes on with such a swap. */
function Approved() {
  const t = useText(swapWords)
  const symbol = useSnapshot(({ swap: { pending, sourceToken, toToken } }) => {
    // After a revocation alone, nothing is approved yet.
    const approved = pending.find(({ step, amount }) => step === 'approved' && amount !== '0')
    return approved?.symbol === sourceToken?.symbol && approved?.toSymbol === toToken?.symbol && approved?.symbol
  })
  return (
    <p className="said" role="status">
      {symbol && t('swapApproved', symbol)}
    </p>
  )
}

/** Submit button with the missing input as its label; pressing it anyway shows the error beside the field. */
function Action() {
  const t = useText(swapWords)
  const busy = useSnapshot(({ swap }) => swap.loading && !swap.quote)
  const words = useSnapshot(({ swap }): KeyWith<typeof swapWords> => {
    if (!swap.sourceToken || !swap.toToken) return 'swapSelect'
    if (swap.amountFault === 'aboveBalance' || swap.amountFault === 'insufficientGas') return 'swapShort'
    if (!(swap.toAmount?.typed ?? swap.sourceTokenAmount).trim()) return 'swapEnter'
    if (swap.amountFault || swap.toAmount?.fault || swap.liar) return 'swapCheck'
    if (swap.slippage.wrong) return 'swapCheckSlippage'
    if (swap.loading && !swap.quote) return 'swapQuoting'
    if (swap.quoteFault === 'noRoute') return 'swapNoRoute'
    return swap.quoteFault && !swap.quote ? 'swapNoQuote' : 'swapReview'
  })
  // The network fee is paid in the network's coin.
  const symbol = useSnapshot(
    ({ swap }) => (swap.amountFault === 'insufficientGas' ? swap.networkSymbol : swap.sourceToken?.symbol) ?? ''
  )
  const alive = busy || words === 'swapReview'
  return (
    <Button
      // Red begins with the button that swaps; this one only leads to the preview.
      kind={alive ? 'primary' : 'soft'}
      lacking={!alive}
      type="submit"
      busy={busy}
      data-testid="swap-action-button"
    >
      {t(words, symbol)}
    </Button>
  )
}
