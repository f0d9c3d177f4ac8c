// @vitest-environment happy-dom

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { homeOf } from './home.ts'

const folder = join(import.meta.dirname, '../../wasm')
const first = new WebAssembly.Module(readFileSync(join(folder, 'portico_bg.wasm')))
const second = readFileSync(join(folder, 'portico_home.wasm'))
let serial = 0
const wasmUrl = () => `https://page.example/${++serial}/portico_bg.wasm`

function server(answer: () => Promise<Response>) {
  const fetch = vi.fn(answer)
  vi.stubGlobal('fetch', fetch)
  return fetch
}

/** An instance of the first half, with imports that do nothing. */
function instance(): Promise<object> {
  const imports: Record<string, Record<string, () => void>> = {}
  for (const { module, name } of WebAssembly.Module.imports(first)) {
    imports[module] = { ...imports[module], [name]: () => {} }
  }
  return Promise.resolve(new WebAssembly.Instance(first, imports).exports)
}

beforeEach(() => {
  server(async () => new Response(second))
})

afterEach(() => {
  vi.unstubAllGlobals()
})

it('lies beside the first half and is fetched once for all instances', async () => {
  const fetch = server(async () => new Response(second))
  const url = wasmUrl()
  const [one, other] = [homeOf(instance, url), homeOf(instance, url)]
  one.fetch()
  expect(await Promise.all([one.open(), other.open(), other.open()])).toEqual(Array(3).fill({ type: 'done' }))
  expect(fetch.mock.calls).toEqual([[`https://page.example/${serial}/portico_home.wasm`]])
})

it('that cannot be had, or is none, is fetched anew the next time', async () => {
  const home = homeOf(instance, wasmUrl())
  for (const answer of [
    () => Promise.reject(new TypeError('offline')),
    async () => new Response('', { status: 404 }),
    async () => new Response('<!doctype html>')
  ]) {
    server(answer)
    await expect(home.open()).rejects.toThrow()
  }
  server(async () => new Response(second))
  expect(await home.open()).toEqual({ type: 'done' })
})

it('of another release does not fit, and is fetched anew the next time', async () => {
  const [{ name } = { name: '' }] = WebAssembly.Module.imports(new WebAssembly.Module(second)).filter(
    ({ kind }) => kind === 'table'
  )
  const other = Buffer.from(second.toString('latin1').replace(name, `${name.slice(0, -1)}g`), 'latin1')
  server(async () => new Response(other))
  const home = homeOf(instance, wasmUrl())
  await expect(home.open()).rejects.toThrow(WebAssembly.LinkError)
  server(async () => new Response(second))
  expect(await home.open()).toEqual({ type: 'done' })
})

it('has no place beside an address in which the first half itself stands', async () => {
  const home = homeOf(instance, 'data:application/wasm;base64,AGFzbQEAAAA=')
  expect(() => home.fetch()).not.toThrow()
  await expect(home.open()).rejects.toThrow()
})
