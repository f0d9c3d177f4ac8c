import { useLayoutEffect, useRef } from 'react'
import type { View } from '../generated/core.ts'

/** Starts each new view at its top, and on the way back restores the place to which it was scrolled. */
export function usePlaces(
  body: { readonly current: HTMLElement | null },
  view: View,
  depth: number,
  shown: boolean
): void {
  /** Last place of each view, by depth. */
  const places = useRef<number[]>([])
  const last = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view on the same depth is a new view as well
  useLayoutEffect(() => {
    const element = body.current
    if (!element || !shown) {
      places.current = []
      return
    }
    const back = depth < last.current
    element.scrollTop = (back && places.current[depth]) || 0
    places.current.length = depth
    last.current = depth
    const note = () => {
      places.current[depth] = element.scrollTop
    }
    note()
    element.addEventListener('scroll', note, { passive: true })
    return () => element.removeEventListener('scroll', note)
  }, [body, view, depth, shown])
}
