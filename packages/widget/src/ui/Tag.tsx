import { createElement, type ReactNode } from 'react'

/** Short label beside a name. */
export function Tag({ kind, children }: { kind: 'accent' | 'good' | 'quiet' | 'bad'; children: ReactNode }) {
  // Hosts' tests look for this element name; `class` and not `className`, as React 18 needs on custom elements.
  return createElement('wui-tag', { class: `tag ${kind}` }, children)
}
