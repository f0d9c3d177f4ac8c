//! Draws the frame's views in the language of its address.

import { createRoot } from 'react-dom/client'
import { challengeOf } from './keeper/subject.ts'
import { Alone } from './passkey/Alone.tsx'
import { fulfil } from './passkey/wish.ts'
import type { Secrets } from './secrets.ts'
import { language, speak, words } from './text/words.ts'
import { FrameView, type Views } from './views/FrameView.tsx'

export { performClick } from './clicks.ts'
export { DecisionWindow } from './window/DecisionWindow.ts'

/** A visitor whose language cannot be loaded reads English. */
async function tell(asked: string): Promise<void> {
  await speak(asked)
  document.documentElement.lang = language()
  document.documentElement.dir = words().direction
}

/** Draws what the machine shows. */
export async function draw(place: Element, asked: string, machine: Views, secrets: Secrets): Promise<void> {
  await tell(asked)
  createRoot(place).render(<FrameView machine={machine} secrets={secrets} />)
}

/** Draws the page in a window of its own: for a passkey that the frame's `opener` wishes for, or a hint that a site is missing. */
export async function drawAlone(place: Element, asked: string, opener: Window | null): Promise<void> {
  await tell(asked)
  createRoot(place).render(opener ? <Alone opener={opener} /> : <p className="alone">{words().alone}</p>)
}

/** Draws a request in a window of its own, as the frame that opened it shows it. */
export async function drawDecision(place: Element, asked: string, opener: Window, secrets: Secrets): Promise<void> {
  const [{ hearFrame }] = await Promise.all([import('./window/Remote.ts'), tell(asked)])
  const machine = await hearFrame({ opener, secrets, challengeOf, fulfil })
  createRoot(place).render(<FrameView machine={machine} secrets={secrets} />)
}
