//! Functions of the embedded wallet's frame for the core. The client's code is fetched with the first use.

import type { CoreEvent, FrameEvent, Outcome, Snapshot } from '../../generated/core.ts'
import type { CreateAppKit } from '../../host/options.ts'
import { takeTab } from '../perform/browser.ts'
import type { Frame } from './Frame.ts'

export interface FrameHandParts {
  /** Options at the time the frame is created. */
  options(): CreateAppKit
  snapshot(): Snapshot
  /** Element of the modal in the page, if there is one. */
  place(): Element | undefined
  dispatch(event: CoreEvent): void
}

export interface FrameHands {
  /** Creates the frame, in place of an earlier one. */
  open(chain: string | null): Promise<Outcome>
  /** Sends a request to the frame. */
  ask(event: FrameEvent, payload: unknown): Promise<Outcome>
  /** Leads the window of a social login to its page, or closes it. */
  lead(href: string | null, origin: string): Promise<Outcome>
}

export function frameHands(parts: FrameHandParts): FrameHands {
  let frame: Frame | undefined
  let told: typeof import('./openFrame.ts').told | undefined
  return {
    async open(chain) {
      const client = await import('./openFrame.ts')
      told = client.told
      frame?.close()
      const opening = client.openFrame(parts, chain)
      frame = opening.frame
      await opening.ready
      return { type: 'done' }
    },
    // Posted within the caller's stack, so that requests arrive in the order of the core.
    async ask(event, payload) {
      if (!frame || !told) throw new Error("The frame isn't loaded yet")
      const tells = event === 'SYNC_DAPP_DATA' || event === 'SYNC_THEME' || event === 'GET_SOCIAL_REDIRECT_URI'
      return frame.ask(event, tells ? told(event, parts, payload) : payload)
    },
    async lead(href, origin) {
      // Taken within the caller's stack: by the time the file is there, a later login may have opened another window.
      const tab = takeTab()
      const { leadLogin } = await import('./loginWindow.ts')
      return leadLogin(tab, href, origin)
    }
  }
}
