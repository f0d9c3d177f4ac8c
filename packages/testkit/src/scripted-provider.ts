//! Provider for unit tests that need no wallet: it expects a script of requests and responds as scripted. No DOM, no chain, no clock.

import type { Deferred } from './deferred.ts'
import { Emitter } from './emitter.ts'
import {
  type Provider,
  type ProviderEvent,
  type ProviderRpcError,
  type RequestArguments,
  unsupportedMethod,
  userRejected
} from './provider.ts'

/** Response to one request. */
export type Behaviour =
  | { readonly does: 'answer'; readonly value: unknown | ((params: RequestArguments['params']) => unknown) }
  | { readonly does: 'refuse' }
  | { readonly does: 'reject'; readonly reason: unknown }
  /** Throws out of `request` instead of rejecting. */
  | { readonly does: 'throw'; readonly reason: unknown }
  /** Never settles. */
  | { readonly does: 'hang' }
  /** Settles when the test settles the deferred. */
  | { readonly does: 'late'; readonly settled: Deferred<unknown> }
  /** Returns the value itself instead of a promise. */
  | { readonly does: 'nonsense'; readonly value: unknown }

export type Step = { readonly method: string; readonly always?: boolean } & Behaviour

export interface ScriptedProvider extends Provider {
  /** Every request, oldest first. */
  readonly requests: readonly RequestArguments[]
  /** Requests that were not the next step of the script; each was rejected with 4200. */
  readonly unexpected: readonly RequestArguments[]
  /** Steps that have not been requested yet. */
  readonly remaining: readonly Step[]
  emit(event: ProviderEvent, payload: unknown): void
  listenerCount(event: ProviderEvent): number
  /** Throws unless all steps were requested and no other request came. */
  assertDone(): void
}

/** Steps are expected in order, once each; a step marked `always` responds whenever the next step does not match. */
export function createScriptedProvider(script: readonly Step[]): ScriptedProvider {
  const emitter = new Emitter()
  const remaining = script.filter((step) => !step.always)
  const standing = script.filter((step) => step.always)
  const requests: RequestArguments[] = []
  const unexpected: RequestArguments[] = []

  const next = ({ method }: RequestArguments): Step | undefined =>
    remaining[0]?.method === method ? remaining.shift() : standing.find((step) => step.method === method)

  const provider: ScriptedProvider = {
    requests,
    unexpected,
    remaining,
    // Not `async`: a step may throw before there is a promise.
    request(args) {
      requests.push(args)
      const step = next(args)
      if (step) return behave(step, args.params)
      unexpected.push(args)
      return Promise.reject<never>(unsupportedMethod(args.method) satisfies ProviderRpcError)
    },
    on(event, listener) {
      emitter.add(event, listener)
      return provider
    },
    removeListener(event, listener) {
      emitter.remove(event, listener)
      return provider
    },
    emit: (event, payload) => emitter.emit(event, payload),
    listenerCount: (event) => emitter.count(event),
    assertDone() {
      const surprises = unexpected.map(({ method }) => `asked for ${method} out of turn`)
      const missing = remaining.map(({ method }) => `never asked for ${method}`)
      const faults = [...surprises, ...missing]
      if (faults.length > 0) throw new Error(`The script was not followed: ${faults.join('; ')}`)
    }
  }
  return provider
}

function behave(step: Behaviour, params: RequestArguments['params']): Promise<unknown> {
  switch (step.does) {
    case 'answer': {
      const { value } = step
      return Promise.resolve(typeof value === 'function' ? value(params) : value)
    }
    case 'refuse':
      return Promise.reject(userRejected())
    case 'reject':
      return Promise.reject(step.reason)
    case 'throw':
      throw step.reason
    case 'hang':
      return new Promise(() => {})
    case 'late':
      return step.settled.promise
    case 'nonsense':
      return step.value as Promise<unknown>
  }
}
