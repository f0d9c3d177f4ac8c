import { useContext, useMemo } from 'react'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { buyWords } from '../text/buy.ts'
import { LanguageContext, useText } from '../text/text.tsx'
import { Chosen } from '../ui/Chosen.tsx'
import { Row } from '../ui/Row.tsx'
import { Choices } from './Choices.tsx'

/** List of currencies to pay with, by their names in the visitor's language. */
export function OnRampFiatSelectView() {
  const t = useText(buyWords)
  const dispatch = useDispatch()
  const { code } = useContext(LanguageContext)
  const currencies = useSnapshot((snapshot) => snapshot.onramp.currencies)
  const chosen = useSnapshot((snapshot) => snapshot.onramp.currency)
  const items = useMemo(() => {
    const names = new Intl.DisplayNames(code, { type: 'currency' })
    return currencies.map(({ id }) => {
      const name = names.of(id) ?? id
      return { id, name, words: `${id} ${name}` }
    })
  }, [currencies, code])
  return (
    <Choices
      items={items}
      search={t('buySearchCurrency')}
      none={t('buyNoCurrency')}
      row={({ id, name }) => (
        <Row
          picture={
            <span className="tile money" dir="ltr" aria-hidden="true">
              {signOf(id, code)}
            </span>
          }
          name={name}
          note={<bdi>{id}</bdi>}
          current={id === chosen}
          end={id === chosen && <Chosen />}
          testid={`onramp-currency-${id}`}
          onClick={() => dispatch({ feature: 'onramp', event: { type: 'currencyChosen', id } })}
        />
      )}
    />
  )
}

/** Narrow symbol of a currency such as "€", or its code where there is none. */
function signOf(currency: string, language: string): string {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
  return format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency
}
