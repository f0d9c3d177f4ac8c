import { useLayoutEffect, useRef } from 'react'
import type { View } from '../generated/core.ts'
import { matches } from '../shell/media.ts'

/** Focuses each new view, and on the way back restores the focus that the view had. */
export function useFocus(
  card: { readonly current: HTMLElement | null },
  view: View,
  depth: number,
  shown: boolean,
  embedded: boolean
): void {
  /** Test id of the last focused element, by depth. */
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
    const title = element.querySelector<HTMLElement>('.title')
    // On touch devices a focused field would open the keyboard at once.
    const field = () => (matches('(hover:hover)') ? element.querySelector<HTMLElement>('[data-focus]') : null)
    let late: MutationObserver | undefined
    // An embedded modal takes no focus from the page before the visitor has used it.
    if (!embedded || used.current.size > 0) {
      const known = depth < last.current && used.current.get(depth)
      const again = known && element.querySelector<HTMLElement>(`[data-testid="${CSS.escape(known)}"]`)
      const target = again || field() || title
      target?.focus({ preventScroll: true })
      if (target === title) {
        // The view's file may still be on its way.
        late = new MutationObserver(() => {
          const found = field()
          if (!found) return
          late?.disconnect()
          if (title?.matches(':focus')) found.focus({ preventScroll: true })
        })
        late.observe(element, { childList: true, subtree: true })
      }
    }
    for (const at of used.current.keys()) if (at > depth) used.current.delete(at)
    last.current = depth
    return () => {
      late?.disconnect()
      element.removeEventListener('focusin', note)
    }
  }, [card, view, depth, shown, embedded])
}
