import { useMemo } from 'react'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { buyWords } from '../text/buy.ts'
import { useText } from '../text/text.tsx'
import { Chosen } from '../ui/Chosen.tsx'
import { Row } from '../ui/Row.tsx'
import { Choices } from './Choices.tsx'
import { useCountryName } from './places.ts'

/** Where the visitor is, by the names of countries in their language. */
export function OnRampCountrySelectView() {
  const t = useText(buyWords)
  const dispatch = useDispatch()
  const nameOf = useCountryName()
  const countries = useSnapshot((snapshot) => snapshot.onramp.countries)
  const chosen = useSnapshot((snapshot) => snapshot.onramp.country)
  const items = useMemo(
    () =>
      countries
        .map((id) => ({ id, name: nameOf(id) }))
        .map(({ id, name }) => ({ id, name, words: `${id} ${name}` }))
        .sort((one, other) => one.name.localeCompare(other.name)),
    [countries, nameOf]
  )
  return (
    <Choices
      items={items}
      search={t('buySearchCountry')}
      none={t('buyNoCountry')}
      row={({ id, name }) => (
        <Row
          picture={
            <span className="tile money" dir="ltr" aria-hidden="true">
              {id}
            </span>
          }
          name={name}
          current={id === chosen}
          end={id === chosen && <Chosen />}
          testid={`onramp-country-${id}`}
          onClick={() => dispatch({ feature: 'onramp', event: { type: 'countryChosen', id } })}
        />
      )}
    />
  )
}
