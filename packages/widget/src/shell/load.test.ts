// @vitest-environment happy-dom

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type LoadError, load } from './load.ts'

const bytes = readFileSync(join(import.meta.dirname, '../../wasm/portico_bg.wasm'))
let serial = 0
const address = () => `https://page.example/load-${++serial}.wasm`

function server(answer: () => Promise<Response>) {
  const fetch = vi.fn(answer)
  vi.stubGlobal('fetch', fetch)
  return fetch
}

beforeEach(() => {
  server(async () => new Response(bytes))
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('loading', () => {
  it('asks for the module in the tick of the call, once for an address', async () => {
    const fetch = server(async () => new Response(bytes))
    const url = address()
    const [first, second] = [load(url), load(new URL(url))]
    expect(fetch).toHaveBeenCalledTimes(1)
    expect((await first).module).toBeInstanceOf(WebAssembly.Module)
    expect(await second).toBe(await first)
  })

  it('tells the host what came in place of the module, and does not blame the line of the visitor', async () => {
    const type = { 'content-type': 'text/html' }
    for (const [answer, told] of [
      [() => new Response('Gone', { status: 404, headers: type }), '404 text/html'],
      [() => new Response('<!doctype html>', { headers: type }), '200 text/html']
    ] as const) {
      server(async () => answer())
      const url = address()
      const error = (await load(url).catch((error: unknown) => error)) as LoadError
      expect(error.message).toBe(
        `${url}: ${told}. Set wasmUrl to the address of portico_bg.wasm, and serve the other portico_*.wasm files beside it.`
      )
      const { title, text, again } = error.refusal
      expect([title, text, again]).toEqual([
        "Couldn't load the widget",
        'Contact the site if this happens again.',
        'Try again'
      ])
      expect(error.refusal.text).not.toContain('connection')
    }
    server(() => Promise.reject(new TypeError('offline')))
    await expect(load(address())).rejects.toMatchObject({
      refusal: { text: 'Check your connection and try again.' }
    })
  })

  it('streams where the server names the type, and only there', async () => {
    const streamed = vi.spyOn(WebAssembly, 'compileStreaming').mockResolvedValue(new WebAssembly.Module(bytes))
    await load(address())
    expect(streamed).not.toHaveBeenCalled()
    server(async () => new Response(bytes, { headers: { 'content-type': 'application/wasm' } }))
    await load(address())
    expect(streamed).toHaveBeenCalledTimes(1)
  })

  it('that failed is tried anew the next time', async () => {
    const url = address()
    server(() => Promise.reject(new TypeError('offline')))
    await expect(load(url)).rejects.toMatchObject({
      refusal: { title: "Couldn't load the widget", again: 'Try again' }
    })
    server(async () => new Response(bytes))
    await expect(load(url)).resolves.toMatchObject({ module: expect.anything() })
  })

  it('tells a missing module from one that the page forbids', async () => {
    server(async () => new Response('<!doctype html>'))
    await expect(load(address())).rejects.toMatchObject({
      refusal: { title: "Couldn't load the widget", again: 'Try again' }
    })
    const words = [
      'WebAssembly.compile(): Compiling or instantiating WebAssembly module violates the following Content Security policy directive',
      'call to WebAssembly.compile() blocked by CSP',
      "Refused to create a WebAssembly object because 'unsafe-eval' or 'wasm-unsafe-eval' is not an allowed source of script"
    ]
    for (const word of words) {
      vi.spyOn(WebAssembly, 'compile').mockRejectedValueOnce(new WebAssembly.CompileError(word))
      const error = await load(address()).catch((error: unknown) => error)
      expect(error).toMatchObject({ refusal: { title: 'Wallet Widget Blocked', again: '' } })
    }
  })
})
