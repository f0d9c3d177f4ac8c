//! Performs what follows a click in a view: passkeys, windows, passwords, words and codes. It comes with the views, which the first page does not wait
//! for, and is called within the stack of the click, as browsers want it.

import type { FrameOperation, FrameOutcome, FrameProof } from './generated/frame.ts'
import { encode } from './keeper/bytes.ts'
import { challengeOf, type Given, type Subject, Unproved } from './keeper/subject.ts'
import { addLogin } from './link.ts'
import { createPasskey, Unfulfilled, usePasskey } from './passkey/wish.ts'
import type { PerformParts } from './perform.ts'
import type { Secret, Secrets } from './secrets.ts'
import { ofPage } from './text/ofPage.ts'
import type { DecisionWindow } from './window/DecisionWindow.ts'

/** Performs an operation of the views; nothing for one that is the worker's alone. Always answers. */
export async function performClick(operation: FrameOperation, parts: PerformParts): Promise<FrameOutcome> {
  try {
    switch (operation.type) {
      case 'export':
      case 'makeKit': {
        const typed = operation.type === 'export' && operation.password
        const order = typed ? ({ type: 'exportBy', password: parts.secrets.take() } as const) : operation
        const outcome = await parts.worker(order)
        if (outcome.type !== 'answered') return outcome
        parts.secrets.show(outcome.value as Secret)
        return { type: 'done' }
      }
      case 'conceal':
        parts.secrets.conceal()
        return { type: 'done' }
      case 'addPasskey': {
        const passkey = await createPasskey(operation.label, operation.known)
        return await parts.worker({ type: 'storePasskey', passkey })
      }
      case 'setPassword':
        return await parts.worker({ type: 'choosePassword', password: parts.secrets.take() })
      case 'openByPassword':
        return await parts.worker({ type: 'tryPassword', password: parts.secrets.take() })
      case 'addLogin':
        return await addLogin(operation.provider, parts.worker)
      case 'sign': {
        const { order, proof } = operation
        if (parts.window?.isOpen) return await signDecided(operation, parts, parts.window)
        const given = await givenFor(order, proof, parts.secrets)
        return await parts.worker(given ? { type: 'signBy', order, given } : operation)
      }
      case 'openWindow':
        return (await parts.window?.open(operation)) ?? { type: 'done' }
      case 'setStrict': {
        const { strict, proof } = operation
        const given = await givenFor({ strict }, proof, parts.secrets)
        return await parts.worker(given ? { type: 'setStrictBy', strict, given } : operation)
      }
      case 'signByPasskey': {
        const { proof } = await usePasskey(operation.challenge, operation.passkeys)
        return { type: 'answered', value: proof }
      }
      case 'openByPasskey': {
        const challenge = encode(crypto.getRandomValues(new Uint8Array(32)))
        const { output } = await usePasskey(challenge, operation.passkeys)
        if (output === null) throw new Unfulfilled(ofPage.passkeyNone)
        return await parts.worker({ type: 'openByOutput', output })
      }
      case 'createByPasskey': {
        const { project, host } = operation
        const passkey = await createPasskey(new URL(host).hostname, [])
        return await parts.worker({ type: 'createByOutput', passkey, project, host })
      }
      case 'logInByPasskey': {
        const { project, host } = operation
        const begin = {
          type: 'ask',
          path: '/wallet/v1/login/passkey',
          body: { project, host },
          session: false
        } as const
        const begun = await parts.worker(begin)
        if (begun.type !== 'answered') return begun
        const { transaction } = begun.value as { transaction: string }
        const { proof, output } = await usePasskey(transaction, [])
        if (output === null) throw new Unfulfilled(ofPage.passkeyNone)
        return await parts.worker({ type: 'logInByOutput', proof, output })
      }
      default:
        return await parts.worker(operation)
    }
  } catch (error) {
    if (error instanceof Unproved) return { type: 'failed', kind: 'unproved', message: error.message }
    if (error instanceof Unfulfilled) return { type: 'failed', kind: 'refused', message: error.message }
    // What was thrown may hold a text of the host or the server; the machine has words of its own.
    return { type: 'failed', kind: 'broken', message: '' }
  }
}

/** Signs what the visitor confirmed in the window, where the passkey is used too. */
async function signDecided(
  { order, proof }: Extract<FrameOperation, { type: 'sign' }>,
  { secrets, worker }: PerformParts,
  window: DecisionWindow
): Promise<FrameOutcome> {
  const digest = window.take()
  const given = await givenFor(order, proof, secrets, (...asked) => window.usePasskey(...asked))
  return worker({ type: 'signDecided', order, digest, given })
}

/** What the visitor gives for a signature or a setting; nothing where the click was enough. */
async function givenFor(
  subject: Subject,
  proof: FrameProof,
  secrets: Secrets,
  use = usePasskey
): Promise<Given | undefined> {
  switch (proof.type) {
    case 'click':
      return undefined
    case 'password':
      return { type: 'password', password: secrets.take() }
    case 'passkey': {
      // A promise: a window for the passkey opens within the stack of the click.
      const used = await use(challengeOf(subject), proof.passkeys).catch((error: unknown) => {
        throw error instanceof Unfulfilled ? new Unproved(error.message) : error
      })
      if (used.output === null) throw new Unproved(ofPage.passkeyNone)
      return { type: 'passkey', proof: used.proof, output: used.output }
    }
  }
}
