import { useMemo } from 'react'
import { Chosen } from '../ui/Chosen.tsx'
import { flagOf } from '../ui/flag.ts'
import { Row } from '../ui/Row.tsx'
import { Choices } from './Choices.tsx'

interface PlaceListProps {
  /** Codes (ISO 3166), as the server lists them. */
  readonly ids: readonly string[]
  /** Name of a place. Must keep its identity between renders: a new function sorts the list again. */
  readonly nameOf: (id: string) => string
  readonly kind: 'country' | 'state'
  readonly chosen: string | null
  readonly search: string
  readonly none: string
  readonly onChosen: (id: string) => void
}

/** Searchable list of countries or states, by their names in the visitor's language. */
export function PlaceList({ ids, nameOf, kind, chosen, search, none, onChosen }: PlaceListProps) {
  const items = useMemo(
    () =>
      ids
        .map((id) => ({ id, name: nameOf(id), mark: kind === 'country' ? flagOf(id) : id }))
        .map((place) => ({ ...place, words: `${place.id} ${place.name}` }))
        .sort((one, other) => one.name.localeCompare(other.name)),
    [ids, nameOf, kind]
  )
  return (
    <Choices
      items={items}
      search={search}
      none={none}
      row={({ id, name, mark }) => (
        <Row
          picture={
            <span className={mark === id ? 'tile money' : 'tile money flag'} dir="ltr" aria-hidden="true">
              {mark}
            </span>
          }
          name={name}
          current={id === chosen}
          end={id === chosen && <Chosen />}
          testid={`onramp-${kind}-${id}`}
          onClick={() => onChosen(id)}
        />
      )}
    />
  )
}
