//! Draws the frame's views in the language of its address.

import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { challengeOf } from './keeper/subject.ts'
import { Alone } from './passkey/Alone.tsx'
import { ALONE, DECISION } from './passkey/mark.ts'
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

/** Draws the page in a window of its own, for the frame that opened it, or a hint that a site is missing. */
export async function drawAlone(place: Element, asked: string, secrets: Secrets): Promise<void> {
  await tell(asked)
  createRoot(place).render(await alone(secrets))
}

async function alone(secrets: Secrets): Promise<ReactNode> {
  const opener = openerFrame()
  if (opener && location.hash === ALONE) return <Alone opener={opener} />
  if (!opener || location.hash !== DECISION) return <p className="alone">{words().alone}</p>
  const { hearFrame } = await import('./window/Remote.ts')
  const machine = await hearFrame({ opener, secrets, challengeOf, fulfil })
  return <FrameView machine={machine} secrets={secrets} />
}

/** Frame of this origin that opened this window; a page of another origin opens it to no effect. */
function openerFrame(): Window | null {
  try {
    return window.parent === window && window.opener?.location.origin === location.origin ? window.opener : null
  } catch {
    return null
  }
}
