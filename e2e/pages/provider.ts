//! Methods of the embedded wallet's provider, as a host calls them.

import type { Visit } from '../world/visit.ts'

/** The provider, as a host gets it before anybody is connected. */
export const OURS = `window.kit.getConnectors().find(({ id }) => id === 'AUTH').provider`

const called = (method: string, given: readonly unknown[]): string =>
  `${OURS}.${method}(${given.map((one) => JSON.stringify(one)).join()})`

/** Calls a method; resolves with its answer. */
export function call<T = unknown>(visit: Visit, method: string, ...given: readonly unknown[]): Promise<T> {
  return visit.page.evaluate(called(method, given)) as Promise<T>
}

/** Calls a method that is refused; resolves with the message. */
export function refusal(visit: Visit, method: string, ...given: readonly unknown[]): Promise<unknown> {
  return visit.page.evaluate(`${called(method, given)}.then(() => 'done', ({ message }) => message)`)
}

/** Loads the widget as a host does, and notes what the provider's listeners hear. */
export async function listening(visit: Visit): Promise<void> {
  await visit.page.evaluate('window.kit.preload()')
  await visit.page.evaluate(`{
    const ours = ${OURS}
    window.heard = []
    const events = ['RpcRequest', 'RpcSuccess', 'RpcError', 'IsConnected', 'NotConnected', 'Connect', 'SocialConnected', 'SetPreferredAccount']
    for (const event of events) ours['on' + event]((...told) => window.heard.push([event, ...told]))
  }`)
}

/** What the listeners heard of these events. */
export async function heard(visit: Visit, ...events: readonly string[]): Promise<readonly (readonly unknown[])[]> {
  const all = (await visit.page.evaluate('window.heard')) as (readonly unknown[])[]
  return all.filter(([event]) => events.includes(String(event)))
}
