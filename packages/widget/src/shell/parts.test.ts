// @vitest-environment happy-dom

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Part } from '../generated/core.ts'
import { partsOf } from './parts.ts'

const folder = join(import.meta.dirname, '../../wasm')
const first = new WebAssembly.Module(readFileSync(join(folder, 'portico_bg.wasm')))
const bytesOf = (part: Part) => readFileSync(join(folder, `portico_${part}.wasm`))
const modules = {
  home: bytesOf('home'),
  send: bytesOf('send'),
  solana: bytesOf('solana'),
  bitcoin: bytesOf('bitcoin'),
  onramp: bytesOf('onramp'),
  swap: bytesOf('swap'),
  embedded: bytesOf('embedded'),
  siwx: bytesOf('siwx')
}
const PARTS: readonly Part[] = ['home', 'send', 'solana', 'bitcoin', 'onramp', 'swap', 'embedded', 'siwx']
let serial = 0
const wasmUrl = () => `https://page.example/${++serial}/portico_bg.wasm`

/** Fake server with all modules; `answer` replaces the response for one of them. */
function server(answer: (part: Part) => Promise<Response> | undefined = () => undefined) {
  const fetch = vi.fn(async (url: string) => {
    const part = PARTS.find((part) => url.endsWith(`portico_${part}.wasm`)) ?? 'home'
    return answer(part) ?? new Response(modules[part])
  })
  vi.stubGlobal('fetch', fetch)
  return fetch
}

/** Instance of the first module, with imports that do nothing. */
function instance(): Promise<object> {
  const imports: Record<string, Record<string, () => void>> = {}
  for (const { module, name } of WebAssembly.Module.imports(first)) {
    imports[module] = { ...imports[module], [name]: () => {} }
  }
  return Promise.resolve(new WebAssembly.Instance(first, imports).exports)
}

beforeEach(() => {
  server()
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('lie beside the first module and are fetched once for all instances', async () => {
  const fetch = server()
  const url = wasmUrl()
  const [one, other] = [partsOf(instance, url), partsOf(instance, url)]
  one.fetch('home')
  const all = [...PARTS, ...PARTS].map((part, place) => (place % 2 ? one : other).open(part))
  expect(await Promise.all(all)).toEqual(all.map(() => ({ type: 'done' })))
  const asked = PARTS.map((part) => `https://page.example/${serial}/portico_${part}.wasm`)
  expect(fetch.mock.calls.map(([url]) => url)).toEqual(asked)
})

it('are put into an instance once, and home before any other', async () => {
  const put = vi.spyOn(WebAssembly, 'instantiate')
  const one = await instance()
  const parts = partsOf(async () => one, wasmUrl())
  await Promise.all([parts.open('send'), parts.open('home'), parts.open('send')])
  expect(put).toHaveBeenCalledTimes(2)
  const [[, toHome] = [], [, toSend] = []] = put.mock.calls
  expect(toHome).toEqual({ p: one, h: {} })
  expect(Object.keys((toSend as WebAssembly.Imports).h ?? {})).not.toEqual([])
  await partsOf(instance, wasmUrl()).open('send')
  expect(put, 'another instance has its own').toHaveBeenCalledTimes(4)
})

it.each(PARTS)('%s that cannot be had, or is none, is fetched anew the next time', async (part) => {
  const parts = partsOf(instance, wasmUrl())
  for (const answer of [
    () => Promise.reject(new TypeError('offline')),
    async () => new Response('', { status: 404 }),
    async () => new Response('<!doctype html>')
  ]) {
    server((asked) => (asked === part ? answer() : undefined))
    await expect(parts.open(part)).rejects.toThrow()
  }
  server()
  expect(await parts.open(part)).toEqual({ type: 'done' })
})

it('another part is not there without home', async () => {
  server((part) => (part === 'home' ? Promise.reject(new TypeError('offline')) : undefined))
  const parts = partsOf(instance, wasmUrl())
  await expect(parts.open('send')).rejects.toThrow('offline')
  server()
  expect(await parts.open('send')).toEqual({ type: 'done' })
})

it.each(PARTS)('%s of another release does not fit, and is fetched anew the next time', async (part) => {
  const bytes = modules[part]
  const [{ name } = { name: '' }] = WebAssembly.Module.imports(new WebAssembly.Module(bytes)).filter(
    ({ kind }) => kind === 'table'
  )
  const other = Buffer.from(bytes.toString('latin1').replace(name, `${name.slice(0, -1)}g`), 'latin1')
  server((asked) => (asked === part ? Promise.resolve(new Response(other)) : undefined))
  const parts = partsOf(instance, wasmUrl())
  await expect(parts.open(part)).rejects.toThrow(WebAssembly.LinkError)
  server()
  expect(await parts.open(part)).toEqual({ type: 'done' })
})

it('have no place beside an address in which the first module itself stands', async () => {
  const parts = partsOf(instance, 'data:application/wasm;base64,AGFzbQEAAAA=')
  expect(() => parts.fetch('send')).not.toThrow()
  await expect(parts.open('home')).rejects.toThrow()
})
