import { useLayoutEffect, useRef } from 'react'
import type { View } from '../generated/core.ts'
import { matches } from '../shell/media.ts'

/** The focus goes to each new view, and back to where it was when the visitor comes back to a view. */
export function useFocus(
  card: { readonly current: HTMLElement | null },
  view: View,
  depth: number,
  shown: boolean,
  embedded: boolean
): void {
  /** By depth, the test id of what was in use there. */
  const used = useRef(new Map<number, string>())
  const last = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view on the same depth is a new view as well
  useLayoutEffect(() => {
    const element = card.current
    if (!element || !shown) {
      used.current.clear()
      return
    }
    const note = ({ target }: FocusEvent) => {
      const id = target instanceof HTMLElement && target.dataset.testid
      if (id) used.current.set(depth, id)
    }
    element.addEventListener('focusin', note)
    // What is embedded takes no focus from the page before the visitor has come to it.
    if (!embedded || used.current.size > 0) {
      const known = depth < last.current && used.current.get(depth)
      const again = known && element.querySelector<HTMLElement>(`[data-testid="${CSS.escape(known)}"]`)
      // Where there is no mouse a focused field would bring the keyboard up at once.
      const field = matches('(hover:hover)') && element.querySelector<HTMLElement>('[data-focus]')
      const target = again || field || element.querySelector<HTMLElement>('.title')
      target?.focus({ preventScroll: true })
    }
    for (const at of used.current.keys()) if (at > depth) used.current.delete(at)
    last.current = depth
    return () => element.removeEventListener('focusin', note)
  }, [card, view, depth, shown, embedded])
}
