import type { KeyboardEvent, ReactNode } from 'react'

/** Arrow key navigation in rows or a grid, also from the search field to the first item. Tab works as well. */
export function Arrows({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field and the buttons in it
    <div onKeyDown={goThrough}>{children}</div>
  )
}

function goThrough(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget: all, target } = event
  const cells = [...all.querySelectorAll<HTMLElement>('button:is(.cell,.row):not([disabled])')]
  const at = cells.indexOf(target as HTMLElement)
  const search = all.querySelector<HTMLElement>('.search input')
  const first = target === search && key === 'ArrowDown' ? cells[0] : undefined
  const next = at < 0 ? first : cells[placeOf(key, at, cells)]
  const goal = next ?? (key === 'ArrowUp' && at >= 0 ? search : undefined)
  if (!goal) return
  event.preventDefault()
  goal.focus()
}

/** Index that a key leads to; -1 where it leads nowhere. */
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
