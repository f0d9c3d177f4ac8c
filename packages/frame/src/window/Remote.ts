//! Window in which the visitor confirms a large value: the window's side. It draws what the frame that opened it shows, and tells it the clicks.

import type { FrameSnapshot, FrameUiEvent, SigningOrder } from '../generated/frame.ts'
import type { challengeOf } from '../keeper/subject.ts'
import type { Wish } from '../passkey/webauthn.ts'
import type { fulfil } from '../passkey/wish.ts'
import type { Secrets } from '../secrets.ts'
import type { Views } from '../views/FrameView.tsx'
import type { FromWindow } from './DecisionWindow.ts'

/** What the frame posts. */
type FromFrame =
  | { readonly type: 'shown'; readonly snapshot: FrameSnapshot; readonly order: SigningOrder }
  | { readonly type: 'wish'; readonly wish: Wish }

/** Parts of the views' file, so that both need no common one. */
interface Parts {
  readonly opener: Window
  readonly secrets: Secrets
  readonly challengeOf: typeof challengeOf
  readonly fulfil: typeof fulfil
}

/** The frame's machine in the window, from the first snapshot on. */
export function hearFrame(parts: Parts): Promise<Views> {
  const { opener } = parts
  return new Promise((shown) => {
    const remote = new Remote(parts)
    window.addEventListener('message', ({ source, origin, data }: MessageEvent<FromFrame | null>) => {
      if (source !== opener || origin !== location.origin) return
      if (data?.type === 'wish') void remote.fulfil(data.wish)
      if (data?.type !== 'shown') return
      remote.show(data.snapshot, data.order)
      shown(remote)
    })
    remote.post({ type: 'ready' })
  })
}

class Remote implements Views {
  readonly #parts: Parts
  readonly #listeners = new Set<() => void>()
  #snapshot: FrameSnapshot | undefined
  #digest: Promise<string> | undefined

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get snapshot(): FrameSnapshot {
    if (!this.#snapshot) throw new Error('The frame has shown nothing yet')
    return this.#snapshot
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Shows the request as a frame does that needs no window, in the wallet's own colours. */
  show({ theme, host, approval }: FrameSnapshot, order: SigningOrder): void {
    document.documentElement.dataset.theme = theme
    this.#digest = this.#parts.challengeOf(order)
    const shown = approval && { ...approval, window: false }
    this.#snapshot = { theme, variables: null, host, approval: shown, settings: null }
    for (const listener of this.#listeners) listener()
  }

  dispatch(event: FrameUiEvent): void {
    if (event.type !== 'approved') {
      this.post({ type: 'event', event })
      return
    }
    const { approval, revision } = event
    const password = this.#parts.secrets.take()
    void this.#digest?.then((digest) => this.post({ type: 'decided', approval, revision, digest, password }))
  }

  async fulfil(wish: Wish): Promise<void> {
    this.post({ type: 'answer', answer: await this.#parts.fulfil(wish) })
  }

  post(message: FromWindow): void {
    this.#parts.opener.postMessage(message, location.origin)
  }
}
