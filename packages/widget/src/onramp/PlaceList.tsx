import { useMemo } from 'react'
import { Chosen } from '../ui/Chosen.tsx'
import { Row } from '../ui/Row.tsx'
import { Choices } from './Choices.tsx'
import { flagOf } from './places.ts'

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
        .map((id) => ({ id, name: nameOf(id) }))
        .map(({ id, name }) => ({ id, name, words: `${id} ${name}` }))
        .sort((one, other) => one.name.localeCompare(other.name)),
    [ids, nameOf]
  )
  return (
    <Choices
      items={items}
      search={search}
      none={none}
      row={({ id, name }) => (
        <Row
          picture={
            <span className={kind === 'country' ? 'tile money flag' : 'tile money'} dir="ltr" aria-hidden="true">
              {kind === 'country' ? flagOf(id) : id}
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
