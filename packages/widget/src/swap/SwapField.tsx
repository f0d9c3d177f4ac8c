import type { ReactNode } from 'react'
import type { AmountFault, SwapTarget, SwapToken } from '../generated/core.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useAmount, useDollars } from '../text/amount.ts'
import type { KeyWith } from '../text/keys.ts'
import { swapWords } from '../text/swap.ts'
import { useText } from '../text/text.tsx'
import { namedIn } from '../text/typed.ts'
import { Button } from '../ui/Button.tsx'
import { AmountInput, Fault, Fitted, isSome, Pick } from '../ui/form.tsx'
import { Picture } from '../ui/Picture.tsx'
import { useSettled } from '../ui/settled.ts'

const faults: Readonly<Record<AmountFault, KeyWith<typeof swapWords>>> = {
  missing: 'amountMissing',
  notANumber: 'amountNotANumber',
  signed: 'amountSigned',
  exponent: 'amountExponent',
  ambiguous: 'amountAmbiguous',
  tooPrecise: 'amountTooPrecise',
  zero: 'amountZero',
  aboveBalance: 'amountAboveBalance',
  balanceDisputed: 'amountDisputed',
  insufficientGas: 'amountNoCoin'
}

/** Token and amount to pay; the quoted one while the amount to receive is typed. */
export function PayField() {
  const t = useText(swapWords)
  const dispatch = useDispatch()
  const write = useAmount()
  const amount = useSnapshot((snapshot) => snapshot.swap.sourceTokenAmount)
  const waiting = useSnapshot(({ swap }) => swap.toAmount?.typed != null && swap.loading && !swap.quote)
  const quote = useSnapshot((snapshot) => snapshot.swap.quote)
  const token = useSnapshot((snapshot) => snapshot.swap.sourceToken)
  const found = useSnapshot((snapshot) => snapshot.swap.amountFault)
  const [fault, settle] = useSettled(amount, found)
  const fiat = useSnapshot((snapshot) => snapshot.swap.sourceTokenPriceInUSD)
  const liar = useSnapshot((snapshot) => snapshot.swap.liar)
  const coin = useSnapshot((snapshot) => snapshot.swap.networkSymbol)
  const about = fault === 'insufficientGas' ? coin : token?.decimals
  return (
    <Field target="sourceToken" name={t('swapPay')} token={token} fiat={fiat} wrong={fault !== null}>
      <AmountInput
        id="swap-sourceToken"
        value={quote?.sourceTokenShown ?? amount}
        wrong={fault !== null}
        describedBy="swap-fault"
        testid="swap-input-sourceToken"
        exact={quote?.sourceTokenAmount ? `${write(quote.sourceTokenAmount)} ${token?.symbol}` : undefined}
        waiting={waiting}
        onLeft={settle}
        onTyped={(text) => dispatch({ feature: 'swap', event: { type: 'amountTyped', text } })}
      />
      <Fault id="swap-fault" unseen={fault === 'aboveBalance'}>
        {fault ? t(faults[fault], ...namedIn(fault, amount, String(about ?? ''))) : liar && t('swapLiar', liar)}
      </Fault>
    </Field>
  )
}

/** Token and amount to receive; the quoted one while the amount to pay is typed. */
export function ReceiveField() {
  const t = useText(swapWords)
  const write = useAmount()
  const dispatch = useDispatch()
  const field = useSnapshot((snapshot) => snapshot.swap.toAmount)
  const token = useSnapshot((snapshot) => snapshot.swap.toToken)
  const quote = useSnapshot((snapshot) => snapshot.swap.quote)
  const loading = useSnapshot((snapshot) => snapshot.swap.loading)
  const fiat = useSnapshot((snapshot) => snapshot.swap.toTokenPriceInUSD)
  const typed = field?.typed ?? null
  const [fault, settle] = useSettled(typed ?? '', field?.fault ?? null)
  const exact = quote ? `${write(quote.toTokenAmount)} ${token?.symbol}` : undefined
  return (
    <Field target="toToken" name={t('swapReceive')} token={token} fiat={fiat} wrong={fault !== null}>
      {field ? (
        <AmountInput
          id="swap-toToken"
          value={typed ?? quote?.toTokenShown ?? ''}
          wrong={fault !== null}
          describedBy="swap-to-fault"
          testid="swap-input-toToken"
          exact={exact}
          waiting={typed === null && loading && !quote}
          onLeft={settle}
          onTyped={(text) => dispatch({ feature: 'swap', event: { type: 'toAmountTyped', text } })}
        />
      ) : (
        <Fitted text={quote && write(quote.toTokenShown)}>
          <output
            id="swap-toToken"
            className={quote || loading ? 'big' : 'big none'}
            dir="ltr"
            title={exact}
            aria-describedby="swap-to-fault"
            data-testid="swap-input-toToken"
          >
            {quote ? write(quote.toTokenShown) : loading ? <i className="word bone" /> : '0'}
          </output>
        </Fitted>
      )}
      {field ? (
        <Fault id="swap-to-fault">
          {fault && t(faults[fault], ...namedIn(fault, typed ?? '', String(token?.decimals ?? '')))}
        </Fault>
      ) : (
        <small className="why" id="swap-to-fault">
          {t('swapOneWay')}
        </small>
      )}
    </Field>
  )
}

interface FieldProps {
  readonly target: SwapTarget
  readonly name: string
  readonly token: SwapToken | null
  readonly fiat: string | null
  readonly wrong?: boolean
  /** The amount field, and its validation error. */
  readonly children: ReactNode
}

function Field({ target, name, token, fiat, wrong, children }: FieldProps) {
  const t = useText(swapWords)
  const write = useAmount()
  const dollars = useDollars()
  const dispatch = useDispatch()
  const [amount, fault] = Array.isArray(children) ? children : [children]
  return (
    <div className={wrong ? 'field wrong' : 'field'} data-testid={`swap-input-token-${target}`}>
      <label htmlFor={`swap-${target}`}>{name}</label>
      <div className="line">
        {amount}
        <Pick
          label={token ? t('swapToken', token.symbol) : t('swapSelect')}
          name={token?.symbol ?? ''}
          picture={
            <Picture
              src={token?.iconUrl}
              name={token?.symbol ?? ''}
              of={token?.contract === null ? { coin: token.symbol } : undefined}
            />
          }
          ahead="SwapSelectToken"
          testid={`swap-select-token-button-${target}`}
          onClick={() => dispatch({ feature: 'swap', event: { type: 'selectAsked', target } })}
        />
      </div>
      <div className="line under">
        <span>{fiat !== null && <bdi dir="ltr">{dollars(fiat)}</bdi>}</span>
        {token && (
          <span className="there">
            <bdi
              className="clip"
              title={token.shown ? t('available', `${write(token.balance ?? token.shown)} ${token.symbol}`) : undefined}
            >
              {token.shown ? `${write(token.shown)} ${token.symbol}` : t('balanceUnavailable')}
            </bdi>
            {target === 'sourceToken' && (
              <Button
                kind="plain"
                title={t('swapMaxHint')}
                disabled={!isSome(token.balance)}
                data-testid="swap-max-button"
                onClick={() => dispatch({ feature: 'swap', event: { type: 'maxAsked' } })}
              >
                {t('max')}
              </Button>
            )}
          </span>
        )}
      </div>
      {fault}
    </div>
  )
}
