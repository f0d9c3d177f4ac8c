// @vitest-environment happy-dom

import { afterEach, describe, expect, it, vi } from 'vitest'
import { retryDelay, sendHttp } from './http.ts'

afterEach(() => vi.unstubAllGlobals())

function server(answer: () => Promise<Response>) {
  const fetch = vi.fn((_url: URL, _init: RequestInit) => answer())
  vi.stubGlobal('fetch', fetch)
  return (): RequestInit => fetch.mock.lastCall?.[1] as RequestInit
}

describe('posting', () => {
  it('answers with status, body and what Retry-After asks for', async () => {
    server(async () => new Response('busy', { status: 429, headers: { 'retry-after': '3' } }))
    expect(await sendHttp({ method: 'POST', url: 'https://node.example', body: '{}', timeout: 10_000 })).toEqual({
      type: 'httpAnswered',
      status: 429,
      retryAfter: 3_000,
      body: 'busy'
    })
  })

  it("spares the preflight on the way to the host's own server on another origin, and there alone", async () => {
    const sent = server(async () => new Response('{}'))
    const kind = async (url: string, endpoint?: string) => {
      await sendHttp({ method: 'POST', url: url, body: '{}', timeout: 10_000 }, endpoint)
      return new Headers(sent().headers).get('content-type')
    }
    expect(await kind('https://api.example/v1', 'https://api.example')).toBe('text/plain')
    expect(await kind('https://node.example', 'https://api.example')).toBe('application/json')
    expect(await kind('https://node.example')).toBe('application/json')
    expect(await kind(`${location.origin}/v1`, location.origin)).toBe('application/json')
    expect(await kind('/portico/v1', '/portico')).toBe('application/json')
  })

  it('sends no cookies', async () => {
    const sent = server(async () => new Response('{}'))
    await sendHttp({ method: 'POST', url: 'https://node.example', body: '{}', timeout: 10_000 })
    expect(sent().credentials).toBe('omit')
  })

  it('that fails, throws or is no address is an answer', async () => {
    server(() => Promise.reject(new TypeError('Failed to fetch')))
    expect(await sendHttp({ method: 'POST', url: 'https://node.example', body: '{}', timeout: 10_000 })).toEqual({
      type: 'failed',
      error: { message: 'Failed to fetch' }
    })
    server(() => {
      throw new Error('blocked')
    })
    expect(await sendHttp({ method: 'POST', url: 'https://node.example', body: '{}', timeout: 10_000 })).toMatchObject({
      type: 'failed'
    })
    expect(await sendHttp({ method: 'POST', url: 'http://[', body: '{}', timeout: 10_000 })).toMatchObject({
      type: 'failed'
    })
  })

  it('gives up after the time it was given', async () => {
    const sent = server(
      () => new Promise((_, reject) => queueMicrotask(() => reject(sent().signal?.reason ?? 'aborted')))
    )
    const timeout = vi
      .spyOn(AbortSignal, 'timeout')
      .mockReturnValue(AbortSignal.abort(new DOMException('slow', 'TimeoutError')))
    expect(await sendHttp({ method: 'POST', url: 'https://node.example', body: '{}', timeout: 250 })).toMatchObject({
      type: 'failed',
      error: { message: 'slow' }
    })
    expect(timeout).toHaveBeenCalledWith(250)
    timeout.mockRestore()
  })

  it('puts letters together that came in pieces', async () => {
    const bytes = new TextEncoder().encode('{"name":"Größe 🦊"}')
    const body = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
        controller.close()
      }
    })
    server(async () => new Response(body))
    expect(await sendHttp({ method: 'POST', url: 'https://node.example', body: '{}', timeout: 10_000 })).toMatchObject({
      body: '{"name":"Größe 🦊"}'
    })
    server(async () => new Response(null, { status: 204 }))
    expect(await sendHttp({ method: 'POST', url: 'https://node.example', body: '{}', timeout: 10_000 })).toMatchObject({
      status: 204,
      body: ''
    })
  })

  it('stops reading an answer without an end', async () => {
    const cancel = vi.fn()
    const body = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1_000_000)), cancel })
    server(async () => new Response(body))
    expect(await sendHttp({ method: 'POST', url: 'https://node.example', body: '{}', timeout: 10_000 })).toMatchObject({
      type: 'failed'
    })
    expect(cancel).toHaveBeenCalledOnce()
  })

  it('refuses an answer that is too long', async () => {
    server(async () => new Response('x'.repeat(4_000_001)))
    expect(await sendHttp({ method: 'POST', url: 'https://node.example', body: '{}', timeout: 10_000 })).toMatchObject({
      type: 'failed'
    })
  })
})

describe('Retry-After', () => {
  it('is seconds or a date, and never in the past', () => {
    const now = Date.parse('Sat, 01 Jan 2000 00:00:00 GMT')
    expect(retryDelay('120', now)).toBe(120_000)
    expect(retryDelay('Sat, 01 Jan 2000 00:00:05 GMT', now)).toBe(5_000)
    expect(retryDelay('Fri, 31 Dec 1999 00:00:00 GMT', now)).toBe(0)
    for (const nonsense of [null, '', 'soon', '-1', '1.5', '99999999999999'])
      expect(retryDelay(nonsense, now), String(nonsense)).toBeNull()
  })
})
