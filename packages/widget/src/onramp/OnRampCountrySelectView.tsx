import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { buyWords } from '../text/buy.ts'
import { useText } from '../text/text.tsx'
import { PlaceList } from './PlaceList.tsx'
import { useCountryName } from './places.ts'

/** List of countries, by their names in the visitor's language. */
export function OnRampCountrySelectView() {
  const t = useText(buyWords)
  const dispatch = useDispatch()
  const nameOf = useCountryName()
  const countries = useSnapshot((snapshot) => snapshot.onramp.countries)
  const chosen = useSnapshot((snapshot) => snapshot.onramp.country)
  return (
    <PlaceList
      ids={countries}
      nameOf={nameOf}
      kind="country"
      chosen={chosen}
      search={t('buySearchCountry')}
      none={t('buyNoCountry')}
      onChosen={(id) => dispatch({ feature: 'onramp', event: { type: 'countryChosen', id } })}
    />
  )
}
