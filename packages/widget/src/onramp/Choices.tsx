import { type ReactNode, useState } from 'react'
import { useStyle } from '../theme/style.ts'
import { Arrows } from '../ui/Arrows.tsx'
import { Long } from '../ui/Long.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { onrampCss } from './onramp.css.ts'

/** Longest list that needs no search: it fits the card. */
const fits = 8

export interface Choice {
  readonly id: string
  /** Text that the search looks in. */
  readonly words: string
}

interface ChoicesProps<Item extends Choice> {
  readonly items: readonly Item[]
  readonly search: string
  readonly none: string
  readonly row: (item: Item) => ReactNode
}

/** Searchable list of coins or currencies. */
export function Choices<Item extends Choice>({ items, search, none, row }: ChoicesProps<Item>) {
  useStyle(onrampCss)
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().toLowerCase()
  const found = wanted ? items.filter(({ words }) => words.toLowerCase().includes(wanted)) : items
  return (
    <Arrows>
      {items.length > fits && <SearchField value={typed} label={search} testid="onramp-search" onTyped={setTyped} />}
      <Long items={found} keyOf={({ id }) => id} row={row} />
      <p role="status" className="unmatched">
        {found.length === 0 && none}
      </p>
    </Arrows>
  )
}
