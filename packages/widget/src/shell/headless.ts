//! The part of the shell for hosts that draw everything themselves: the core, and not one view.

import { begin, type StartParts } from './begin.ts'

export { refusalOf } from './begin.ts'

/** Boots the core. */
export async function start(parts: StartParts): Promise<void> {
  await begin(
    parts,
    () => document.body,
    () => {},
    Promise.resolve()
  )
}

/** There is nothing to draw. */
export function rehearse(): void {}
