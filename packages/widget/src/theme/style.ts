import { createContext, useContext, useInsertionEffect } from 'react'
import { adopt } from './adopt.ts'

/** The shadow root that the views stand in. */
export const StyleContext = createContext<ShadowRoot | null>(null)

/** Sheets that a shadow root has already. */
const adopted = new WeakMap<ShadowRoot, Set<string>>()

/** Adds a style sheet to a shadow root, once. */
export function adoptOnce(shadow: ShadowRoot, css: string): void {
  const there = adopted.get(shadow) ?? new Set()
  adopted.set(shadow, there)
  if (there.has(css)) return
  there.add(css)
  adopt(shadow, css)
}

/** The rules of a view that is loaded later bring themselves. */
export function useStyle(css: string): void {
  const shadow = useContext(StyleContext)
  useInsertionEffect(() => {
    if (shadow) adoptOnce(shadow, css)
  }, [shadow, css])
}
