import { createContext, useContext, useInsertionEffect } from 'react'
import { adopt } from './adopt.ts'

/** Shadow root that contains the views. */
export const StyleContext = createContext<ShadowRoot | null>(null)

/** Style sheets that a shadow root already has. */
const adopted = new WeakMap<ShadowRoot, Set<string>>()

/** Adds a style sheet to a shadow root, once. */
export function adoptOnce(shadow: ShadowRoot, css: string): void {
  const there = adopted.get(shadow) ?? new Set()
  adopted.set(shadow, there)
  if (there.has(css)) return
  there.add(css)
  adopt(shadow, css)
}

/** Adds a view's own style sheet when the view renders. */
export function useStyle(css: string): void {
  const shadow = useContext(StyleContext)
  useInsertionEffect(() => {
    if (shadow) adoptOnce(shadow, css)
  }, [shadow, css])
}
