import type { BuyAmountFault } from '../generated/core.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { buyWords } from '../text/buy.ts'
import type { KeyWith } from '../text/keys.ts'
import { useText } from '../text/text.tsx'
import { namedIn } from '../text/typed.ts'
import { AmountInput, Fault, Pick } from '../ui/form.tsx'
import { Picture } from '../ui/Picture.tsx'
import { useSettled } from '../ui/settled.ts'
import { stateName, useCountryName } from './places.ts'

const faults: Readonly<Record<BuyAmountFault, KeyWith<typeof buyWords>>> = {
  notANumber: 'buyNotANumber',
  signed: 'amountSigned',
  exponent: 'amountExponent',
  ambiguous: 'amountAmbiguous',
  tooPrecise: 'amountTooPrecise',
  zero: 'amountZero',
  tooLarge: 'buyTooLarge'
}

/** Decimal places of the payment currency. */
const decimals = '2'

/** Form for amount, currency and coin. The core validates each keystroke. */
export function PriceForm() {
  const t = useText(buyWords)
  const dispatch = useDispatch()
  const amount = useSnapshot((snapshot) => snapshot.onramp.amount)
  const found = useSnapshot((snapshot) => snapshot.onramp.amountFault)
  const [fault, settle] = useSettled(amount, found)
  const currency = useSnapshot((snapshot) => snapshot.onramp.currency)
  const token = useSnapshot((snapshot) => snapshot.onramp.token)
  const nothing = useSnapshot(({ onramp }) => onramp.offers === 'ready' && onramp.tokens.length === 0)
  return (
    <form
      className="form deal"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // Enter moves the focus from the amount to the first on-ramp provider.
        event.currentTarget.parentElement?.querySelector<HTMLElement>('.row:not([disabled])')?.focus()
      }}
    >
      <div className={fault ? 'field wrong' : 'field'}>
        <label htmlFor="buy-amount">{t('buyPay')}</label>
        <div className="line">
          <AmountInput
            id="buy-amount"
            value={amount}
            wrong={fault !== null}
            describedBy="buy-amount-fault"
            testid="onramp-amount"
            onLeft={settle}
            onTyped={(text) => dispatch({ feature: 'onramp', event: { type: 'amountTyped', text } })}
          />
          {!nothing && <Choice view="OnRampFiatSelect" label={t('buyCurrency', currency ?? '')} name={currency} />}
        </div>
        <Fault id="buy-amount-fault">{fault && t(faults[fault], ...namedIn(fault, amount, decimals))}</Fault>
      </div>
      {!nothing && (
        <div className="field line">
          <span className="soft">{t('buyGet')}</span>
          <Choice
            view="OnRampTokenSelect"
            label={t('buyToken', token?.symbol ?? '')}
            name={token?.symbol ?? null}
            picture={<Picture src={token?.picture} name={token?.symbol ?? ''} />}
          />
        </div>
      )}
      <Place nothing={nothing} />
    </form>
  )
}

/** Country and state of the visitor: on-ramp providers depend on the country, some also on the state. */
function Place({ nothing }: { nothing: boolean }) {
  const t = useText(buyWords)
  const nameOf = useCountryName()
  const country = useSnapshot((snapshot) => snapshot.onramp.country)
  const subdivision = useSnapshot((snapshot) => snapshot.onramp.subdivision)
  const stateOf = useSnapshot((snapshot) => snapshot.onramp.stateOf)
  const listed = useSnapshot((snapshot) => snapshot.onramp.countries.length > 0)
  const here = country ? nameOf(country) : t('buyChoose')
  const state = subdivision ? stateName(country, subdivision) : t('buyChooseState')
  const guessed = useSnapshot((snapshot) => snapshot.onramp.offers !== 'loading')
  const missing =
    country === null ? guessed && 'buyCountryFirst' : stateOf && !subdivision ? 'buyStateFirst' : undefined
  return (
    <>
      {listed && (
        <div className="field line">
          <span className="soft">{t('buyWhereYouAre')}</span>
          <span className="pills">
            <Choice view="OnRampCountrySelect" label={t('buyCountry', here)} name={here} />
            {stateOf && <Choice view="OnRampStateSelect" label={t('buyState', state)} name={state} />}
          </span>
        </div>
      )}
      <p className="soft where" role="status">
        {missing ? t(missing) : nothing && t('buyNowhere', here)}
      </p>
    </>
  )
}

/** Selection views that this form opens. */
type List = 'OnRampFiatSelect' | 'OnRampTokenSelect' | 'OnRampCountrySelect' | 'OnRampStateSelect'

const testids: Readonly<Record<List, string>> = {
  OnRampFiatSelect: 'onramp-currency',
  OnRampTokenSelect: 'onramp-token',
  OnRampCountrySelect: 'onramp-country',
  OnRampStateSelect: 'onramp-state'
}

type ChoiceProps = { view: List; label: string; name: string | null; picture?: React.ReactNode }

/** Button with the current choice that opens its list; a skeleton while the list loads. */
function Choice({ view, label, name, picture }: ChoiceProps) {
  const dispatch = useDispatch()
  if (!name) return <i className="word bone" />
  return (
    <Pick
      label={label}
      name={name}
      picture={picture}
      ahead={view}
      testid={testids[view]}
      onClick={() => dispatch({ feature: 'modal', event: { type: 'viewAsked', view } })}
    />
  )
}
