//! Fulfils the wish for a passkey here, or in a window of its own where the browser has none for frames.

import type { PasskeyHint } from '../generated/frame.ts'
import { ofPage } from '../text/ofPage.ts'
import { ALONE } from './mark.ts'
import { type Created, create, get, NoPrf, type Used, type Wish } from './webauthn.ts'

export class Unfulfilled extends Error {}

/** Whether the browser lets a frame use the feature. Safari and Firefox do not say, and refuse some of them. */
function allows(feature: string): boolean {
  const policy = (document as { featurePolicy?: { allowsFeature(name: string): boolean } }).featurePolicy
  return window.parent === window || (policy?.allowsFeature(feature) ?? false)
}

/** What a window answers. */
export type Answer = { readonly value: Created | Used } | { readonly fault: string }

/** Fulfils a wish in this window. Always answers. */
export async function fulfil(wish: Wish): Promise<Answer> {
  try {
    const value =
      wish.type === 'create' ? await create(wish.label, wish.known) : await get(wish.challenge, wish.passkeys)
    return { value }
  } catch (error) {
    return { fault: faultOf(error) }
  }
}

function faultOf(error: unknown): string {
  if (error instanceof NoPrf) return ofPage.passkeyNoPrf
  // WebAuthn, 5.1.3: the authenticator has one of the excluded passkeys.
  return (error as Error).name === 'InvalidStateError' ? ofPage.passkeyKnown : ofPage.passkeyUnused
}

async function granted<T extends Created | Used>(type: Wish['type'], wish: Wish | Promise<Wish>): Promise<T> {
  const answer = allows(`publickey-credentials-${type}`) ? await fulfil(await wish) : await elsewhere(wish)
  if ('fault' in answer) throw new Unfulfilled(answer.fault)
  return answer.value as T
}

/** Opens the window within the caller's stack, tells it the wish once it is there, and waits for its answer, or for its end. */
function elsewhere(wish: Wish | Promise<Wish>): Promise<Answer> {
  const address = new URL(location.href)
  address.hash = ALONE
  const opened = window.open(address, 'portico-passkey', 'popup,width=480,height=640')
  if (!opened) return Promise.resolve({ fault: ofPage.popup })
  return new Promise((resolve) => {
    const end = (answer: Answer) => {
      window.removeEventListener('message', hear)
      clearInterval(watch)
      resolve(answer)
    }
    const hear = ({ source, origin, data }: MessageEvent) => {
      if (source !== opened || origin !== location.origin) return
      if (data?.type === 'ready') {
        void Promise.resolve(wish).then((wish) => opened.postMessage({ type: 'wish', wish }, location.origin))
      }
      if (data?.type === 'answer') end(data.answer as Answer)
    }
    const watch = setInterval(() => {
      if (opened.closed) end({ fault: ofPage.passkeyUnused })
    }, 500)
    window.addEventListener('message', hear)
  })
}

export const createPasskey = (label: string, known: readonly string[]): Promise<Created> =>
  granted('create', { type: 'create', label, known })

export function usePasskey(challenge: string | Promise<string>, passkeys: readonly PasskeyHint[]): Promise<Used> {
  const wish = Promise.resolve(challenge).then((challenge) => ({ type: 'get', challenge, passkeys }) as const)
  return granted('get', wish)
}
