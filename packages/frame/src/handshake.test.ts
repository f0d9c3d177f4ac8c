import { expect, it, vi } from 'vitest'
import { type Framed, greet, hostOf, tellEscape, textOf } from './handshake.ts'

const HOST = 'https://shop.example.org'
const self = { name: 'frame' }
const top = { name: 'host' }

function framed(change: Partial<Framed> = {}): Framed {
  return { self, parent: top, top, location: { ancestorOrigins: [HOST] }, ...change }
}

it('the host is the origin that the address names and the browser knows', () => {
  expect(hostOf(framed(), HOST)).toBe(HOST)
  expect(hostOf(framed({ location: {} }), HOST)).toBe(HOST)
  expect(hostOf(framed({ location: { ancestorOrigins: ['http://localhost:5173'] } }), 'http://localhost:5173')).toBe(
    'http://localhost:5173'
  )
})

it('a page that is not framed, framed twice, or below another origin has no host', () => {
  expect(hostOf(framed({ parent: self, top: self }), HOST)).toBeUndefined()
  expect(hostOf(framed({ parent: { name: 'between' } }), HOST)).toBeUndefined()
  expect(hostOf(framed({ location: { ancestorOrigins: [HOST, 'https://evil.example'] } }), HOST)).toBeUndefined()
  expect(hostOf(framed({ location: { ancestorOrigins: ['https://evil.example'] } }), HOST)).toBeUndefined()
})

it('what is no origin is no host', () => {
  for (const named of [
    null,
    '',
    '*',
    'null',
    `${HOST}/`,
    `${HOST}/path`,
    'shop.example.org',
    'javascript:alert(1)',
    'data:,'
  ])
    expect(hostOf(framed({ location: {} }), named)).toBeUndefined()
})

it('spec_4_34_the_first_message_goes_with_a_port_to_the_exact_origin', () => {
  const channel = new MessageChannel()
  const parent = { postMessage: vi.fn() }
  greet(parent, HOST, channel, () => {})
  const [message, origin, transfer] = parent.postMessage.mock.calls[0] ?? []
  expect(message).toEqual({ type: '@w3m-frame/READY', id: expect.stringMatching(/^[\w-]{1,64}$/) })
  expect(origin).toBe(HOST)
  expect(transfer).toEqual([channel.port2])
  channel.port1.close()
})

it('messages of the port are passed on as text', async () => {
  const channel = new MessageChannel()
  const heard = new Promise<string>((resolve) => greet({ postMessage: () => {} }, HOST, channel, resolve))
  channel.port2.postMessage({ type: '@w3m-app/GET_USER', id: '1' })
  expect(await heard).toBe('{"type":"@w3m-app/GET_USER","id":"1"}')
  channel.port1.close()
})

it('a message without a JSON form, or above 256 KiB, is dropped', () => {
  const round: Record<string, unknown> = {}
  round.round = round
  for (const data of [undefined, round, 1n, 'a'.repeat(256 * 1024)]) expect(textOf(data)).toBeUndefined()
  expect(textOf('a'.repeat(256 * 1024 - 2))).toHaveLength(256 * 1024)
})

it('the host is told of Escape, and of no other key', () => {
  vi.stubGlobal('KeyboardEvent', Event)
  const page = new EventTarget()
  const port = { postMessage: vi.fn() }
  tellEscape(page, port)
  const press = (key: string, isComposing = false) =>
    page.dispatchEvent(Object.assign(new Event('keydown'), { key, isComposing }))
  for (const key of ['a', 'Enter', '1']) press(key)
  press('Escape', true)
  expect(port.postMessage).not.toHaveBeenCalled()
  press('Escape')
  expect(port.postMessage.mock.calls).toEqual([
    [{ type: '@w3m-frame/ESCAPE', id: expect.stringMatching(/^[\w-]{1,64}$/) }]
  ])
  vi.unstubAllGlobals()
})
