import { useMemo } from 'react'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { buyWords } from '../text/buy.ts'
import { useText } from '../text/text.tsx'
import { Chosen } from '../ui/Chosen.tsx'
import { Row } from '../ui/Row.tsx'
import { Choices } from './Choices.tsx'
import { stateName } from './places.ts'

/** In which state of their country the visitor is: some sell by state. */
export function OnRampStateSelectView() {
  const t = useText(buyWords)
  const dispatch = useDispatch()
  const country = useSnapshot((snapshot) => snapshot.onramp.stateOf)
  const states = useSnapshot((snapshot) => snapshot.onramp.states)
  const chosen = useSnapshot((snapshot) => snapshot.onramp.subdivision)
  const items = useMemo(
    () =>
      states
        .map((id) => ({ id, name: stateName(country, id) }))
        .map(({ id, name }) => ({ id, name, words: `${id} ${name}` }))
        .sort((one, other) => one.name.localeCompare(other.name)),
    [states, country]
  )
  return (
    <Choices
      items={items}
      search={t('buySearchState')}
      none={t('buyNoState')}
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
          testid={`onramp-state-${id}`}
          onClick={() => dispatch({ feature: 'onramp', event: { type: 'stateChosen', id } })}
        />
      )}
    />
  )
}
