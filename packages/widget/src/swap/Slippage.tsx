import { useState } from 'react'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useAmount } from '../text/amount.ts'
import { swapWords } from '../text/swap.ts'
import { useText } from '../text/text.tsx'
import { Fault } from '../ui/form.tsx'
import { Icon } from '../ui/Icon.tsx'
import { InSight } from '../ui/InSight.tsx'

/** Slippage tolerance in one line; it unfolds the choice. */
export function Slippage() {
  const t = useText(swapWords)
  const write = useAmount()
  const dispatch = useDispatch()
  const { percent, typed, offered, wrong, high } = useSnapshot((snapshot) => snapshot.swap.slippage)
  // A choice that a wrong value unfolds stays so: the field must not fold away under the cursor once the value is right.
  const [unfolded, unfold] = useState(wrong)
  return (
    <details
      className="price slip"
      open={unfolded || wrong}
      onToggle={({ currentTarget }) => unfold(currentTarget.open)}
    >
      <summary data-testid="swap-slippage">
        <span>{t('swapSlippage')}</span>
        <span className={high ? 'much' : undefined}>
          <bdi>{wrong ? '—' : `${write(percent)}%`}</bdi>
          <Icon name="down" />
        </span>
      </summary>
      {/* biome-ignore lint/a11y/useSemanticElements: a <fieldset> cannot be a row */}
      <div className="choose" role="group" aria-label={t('swapSlippage')}>
        {offered.map((offer) => (
          <button
            key={offer}
            type="button"
            className="pill"
            aria-pressed={typed === null && offer === percent}
            onClick={() => dispatch({ feature: 'swap', event: { type: 'slippageChosen', percent: offer } })}
          >
            {write(offer)}%
          </button>
        ))}
        <label className={typed !== null ? 'pill own' : 'pill'} dir="ltr">
          <span className="unseen">{t('swapSlippageOwn')}</span>
          <input
            dir="ltr"
            inputMode="decimal"
            autoComplete="off"
            placeholder={t('swapSlippageCustom')}
            value={typed ?? ''}
            aria-invalid={wrong}
            aria-describedby="slippage-fault slippage-high"
            data-testid="swap-slippage-own"
            onChange={({ target }) =>
              dispatch({ feature: 'swap', event: { type: 'slippageTyped', text: target.value } })
            }
          />
          {typed !== null && <span aria-hidden="true">%</span>}
        </label>
      </div>
      <InSight when={wrong}>
        <Fault id="slippage-fault">{wrong && t('swapSlippageWrong')}</Fault>
      </InSight>
    </details>
  )
}

/** Warning about a high tolerance, in sight even while the choice is folded. */
export function SlippageWarning() {
  const t = useText(swapWords)
  const high = useSnapshot(({ swap }) => swap.slippage.high && !swap.slippage.wrong)
  return (
    <InSight when={high} id="slippage-high" role="status">
      {high && (
        <p className="said warned">
          <Icon name="warning" />
          <span>{t('swapSlippageHigh')}</span>
        </p>
      )}
    </InSight>
  )
}
