//! Shell for hosts that draw everything themselves: the core without any view.

import { begin, type StartParts } from './begin.ts'

export { refusalOf } from './begin.ts'

/** Boots the core without a modal. */
export async function start(parts: StartParts): Promise<void> {
  await begin(
    parts,
    () => document.body,
    () => {},
    Promise.resolve()
  )
}

/** No-op: a headless shell has no views. */
export function rehearse(): void {}
