import { useCallback } from 'react'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { buyWords } from '../text/buy.ts'
import { useText } from '../text/text.tsx'
import { PlaceList } from './PlaceList.tsx'
import { stateName } from './places.ts'

/** List of states of the visitor's country: some on-ramp providers depend on the state. */
export function OnRampStateSelectView() {
  const t = useText(buyWords)
  const dispatch = useDispatch()
  const country = useSnapshot((snapshot) => snapshot.onramp.stateOf)
  const states = useSnapshot((snapshot) => snapshot.onramp.states)
  const chosen = useSnapshot((snapshot) => snapshot.onramp.subdivision)
  const nameOf = useCallback((id: string) => stateName(country, id), [country])
  return (
    <PlaceList
      ids={states}
      nameOf={nameOf}
      kind="state"
      chosen={chosen}
      search={t('buySearchState')}
      none={t('buyNoState')}
      onChosen={(id) => dispatch({ feature: 'onramp', event: { type: 'stateChosen', id } })}
    />
  )
}
