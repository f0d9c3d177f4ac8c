import type { KeyboardEvent } from 'react'

/** Arrows go through the wallets as they stand in rows and columns; from the search, down to the first. Tab does as well. */
export function goThrough(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget: from } = event
  const view = from.closest('.view') ?? from.ownerDocument
  const cells = [...view.querySelectorAll<HTMLElement>('button.cell')]
  const at = cells.indexOf(from)
  const search = view.querySelector<HTMLElement>('.search input')
  const next = at < 0 ? (key === 'ArrowDown' ? cells[0] : undefined) : cells[placeOf(key, at, cells)]
  const goal = next ?? (key === 'ArrowUp' && at >= 0 ? search : undefined)
  if (!goal) return
  event.preventDefault()
  goal.focus()
}

/** The place that a key leads to; no place where it leads nowhere. */
function placeOf(key: string, at: number, cells: readonly HTMLElement[]): number {
  const top = cells[0]?.offsetTop
  const below = cells.findIndex((cell) => cell.offsetTop !== top)
  const columns = below < 0 ? cells.length : below
  const forward = cells[at]?.matches(':dir(rtl)') ? 'ArrowLeft' : 'ArrowRight'
  if (key === 'ArrowLeft' || key === 'ArrowRight') return at + (key === forward ? 1 : -1)
  if (key === 'ArrowDown') return at + columns
  if (key === 'ArrowUp') return at - columns
  if (key === 'Home') return 0
  return key === 'End' ? cells.length - 1 : -1
}
