//! Subscriptions to signatures over the server's WebSocket, from a page with a strict policy to a real node.

import { base58 } from '@scure/base'
import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { useWorld } from './use-world.ts'
import { type Solana, startSolana } from './world/solana.ts'

const RECEIVER = '7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE'

let solana: Solana

const world = useWorld(async () => {
  solana = await startSolana()
  return { solana }
})

afterAll(() => solana?.stop())

/** Sends calls over one WebSocket of the page, and returns as many messages as there are. */
const ask = (page: Page, path: string, calls: readonly unknown[], messages: number) =>
  page.evaluate(
    ({ path, calls, messages }) =>
      new Promise<readonly unknown[]>((resolve, reject) => {
        const heard: unknown[] = []
        const socket = new WebSocket(location.origin.replace('http', 'ws') + path)
        socket.onopen = () => {
          for (const call of calls) socket.send(JSON.stringify(call))
        }
        socket.onmessage = ({ data }) => {
          heard.push(JSON.parse(data))
          if (heard.length === messages) resolve(heard)
        }
        socket.onclose = ({ code, reason }) => reject(new Error(`closed with ${code} ${reason}`))
      }),
    { path, calls, messages }
  )

const call = (id: number, method: string, ...params: readonly unknown[]) => ({ jsonrpc: '2.0', id, method, params })

it('a page hears that its transaction landed, once for each commitment, whether it asks before or after', async () => {
  const { page } = await world.visit('/', { alone: true })
  const path = `/v1/ws?chainId=${solana.id}&projectId=demo`
  const signature = await solana.rpc<string>('requestAirdrop', RECEIVER, 1_000_000_000)
  const subscribe = (commitment: string) => call(1, 'signatureSubscribe', signature, { commitment })
  // The first asks while the transaction isn't final, the second after it.
  for (const commitment of ['finalized', 'confirmed']) {
    const [answer, told] = await ask(page, path, [subscribe(commitment)], 2)
    expect(answer).toEqual({ jsonrpc: '2.0', id: 1, result: expect.any(Number) })
    const { result: subscription } = answer as { readonly result: number }
    const result = { context: { slot: expect.any(Number) }, value: { err: null } }
    expect(told).toEqual({ jsonrpc: '2.0', method: 'signatureNotification', params: { result, subscription } })
  }
})

it('a page is answered with what is wrong, and may leave a signature that never lands', async () => {
  const { page } = await world.visit('/', { alone: true })
  const path = `/v1/ws?chainId=${solana.id}&projectId=demo`
  const never = base58.encode(new Uint8Array(64).fill(7))
  const calls = [
    call(1, 'eth_subscribe', 'newHeads'),
    call(2, 'signatureSubscribe', RECEIVER, { commitment: 'confirmed' }),
    call(3, 'signatureUnsubscribe', 0),
    call(4, 'signatureSubscribe', never, { commitment: 'confirmed' })
  ]
  const heard = (await ask(page, path, calls, calls.length)) as readonly { readonly id: number }[]
  expect([...heard].sort((one, other) => one.id - other.id)).toEqual([
    expect.objectContaining({
      error: { code: -32601, message: `The chain ${solana.id} has no eth_subscribe. Use signatureSubscribe.` }
    }),
    expect.objectContaining({ error: { code: -32602, message: 'Use a signature of 64 bytes in Base58' } }),
    expect.objectContaining({ error: { code: -32602, message: 'Invalid subscription id.' } }),
    { jsonrpc: '2.0', id: 4, result: expect.any(Number) }
  ])
})

it('the server lists the network among the chains with WebSockets', async () => {
  const { ws } = (await (await fetch(`${world.origin}/v1/supported-chains`)).json()) as { ws: readonly string[] }
  expect(ws).toEqual([solana.id])
})
