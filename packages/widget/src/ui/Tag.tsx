import { createElement, type ReactNode } from 'react'

/** A short word beside a name. */
export function Tag({ kind, children }: { kind: 'accent' | 'good' | 'quiet' | 'bad'; children: ReactNode }) {
  // The element's name is what tests of hosts look for; `class`, because that is what React 18 hands to unknown elements.
  return createElement('wui-tag', { class: `tag ${kind}` }, children)
}
