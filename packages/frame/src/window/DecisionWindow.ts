//! Window in which the visitor confirms a large value: the frame's side. The window shows what the machine shows and holds no key.

import type { FrameOperation, FrameOutcome, FrameUiEvent, PasskeyHint } from '../generated/frame.ts'
import { DECISION } from '../passkey/mark.ts'
import type { Used, Wish } from '../passkey/webauthn.ts'
import { type Answer, Unfulfilled } from '../passkey/wish.ts'
import type { Secrets } from '../secrets.ts'
import { ofPage } from '../text/ofPage.ts'
import type { Views } from '../views/FrameView.tsx'

/** Events of the window that are the machine's as they are. */
const RELAYED: readonly unknown[] = ['approvalPainted', 'approvalDisturbed', 'approvalCovered', 'cancelled', 'blocked']
/** Browsers do not tell when a window is closed: it is looked at this often, in milliseconds. */
const LOOK = 400

/** What the window posts. */
export type FromWindow =
  | { readonly type: 'ready' }
  | { readonly type: 'event'; readonly event: FrameUiEvent }
  | {
      readonly type: 'decided'
      readonly approval: number
      readonly revision: number
      /** Hash of what the window showed for signature. */
      readonly digest: string
      /** Password that the visitor typed; empty if none is asked for. */
      readonly password: string
    }
  | { readonly type: 'answer'; readonly answer: Answer }

export class DecisionWindow {
  readonly #machine: Views
  readonly #secrets: Secrets
  #opened: Window | undefined
  #digest = ''
  #answer: ((answer: Answer) => void) | undefined

  constructor(machine: Views, secrets: Secrets) {
    this.#machine = machine
    this.#secrets = secrets
  }

  get isOpen(): boolean {
    return this.#opened !== undefined
  }

  /** Opens the window within the caller's stack; resolves once it is closed. */
  open({ approval, order }: Extract<FrameOperation, { type: 'openWindow' }>): Promise<FrameOutcome> {
    const address = new URL(location.href)
    address.hash = DECISION
    // Without a name: another page could have opened a window of that name before.
    const opened = window.open(address, '_blank', 'popup,width=480,height=720')
    if (!opened) return Promise.resolve({ type: 'failed', kind: 'refused', message: ofPage.popup })
    this.#opened = opened
    return new Promise((resolve) => {
      let ready = false
      const show = () => {
        const { snapshot } = this.#machine
        const shown = snapshot.approval
        if (shown?.number !== approval || shown.confirm === null) end()
        else if (ready) opened.postMessage({ type: 'shown', snapshot, order }, location.origin)
      }
      const hear = ({ source, origin, data }: MessageEvent) => {
        if (source !== opened || origin !== location.origin) return
        if (data?.type === 'ready') ready = true
        if (data?.type === 'ready') show()
        else this.#hear(data, approval)
      }
      const end = () => {
        forget()
        clearInterval(looking)
        for (const [type, listener] of listeners) window.removeEventListener(type, listener)
        this.#opened = undefined
        this.#answer?.({ fault: ofPage.passkeyUnused })
        opened.close()
        resolve({ type: 'done' })
      }
      const listeners = [
        ['message', hear as (event: Event) => void],
        ['pagehide', end]
      ] as const
      const forget = this.#machine.subscribe(show)
      const looking = setInterval(() => opened.closed && end(), LOOK)
      for (const [type, listener] of listeners) window.addEventListener(type, listener)
    })
  }

  /** Hash of what the visitor confirmed, once. */
  take(): string {
    const digest = this.#digest
    this.#digest = ''
    return digest
  }

  /** Uses a passkey in the window, where the visitor clicked. */
  async usePasskey(challenge: string | Promise<string>, passkeys: readonly PasskeyHint[]): Promise<Used> {
    const wish: Wish = { type: 'get', challenge: await challenge, passkeys }
    const answer = await new Promise<Answer>((resolve) => {
      this.#answer = resolve
      if (this.#opened) this.#opened.postMessage({ type: 'wish', wish }, location.origin)
      else resolve({ fault: ofPage.passkeyUnused })
    })
    this.#answer = undefined
    if ('fault' in answer) throw new Unfulfilled(answer.fault)
    return answer.value as Used
  }

  #hear(told: FromWindow | null, approval: number): void {
    if (told?.type === 'event' && RELAYED.includes(told.event.type)) this.#machine.dispatch(told.event)
    if (told?.type === 'answer') this.#answer?.(told.answer)
    if (told?.type !== 'decided' || told.approval !== approval) return
    this.#digest = told.digest
    this.#secrets.type(told.password)
    // The signature that follows takes both within this call; what no signature follows is forgotten.
    this.#machine.dispatch({ type: 'decided', approval, revision: told.revision })
    this.take()
    this.#secrets.take()
  }
}
