// @vitest-environment happy-dom

import { FakeFrame } from '@portico/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CoreEvent } from '../../generated/core.ts'
import type { CreateAppKit } from '../../host/options.ts'
import { addressOf, rightsOf } from './address.ts'
import { isLarge, read } from './envelope.ts'
import { Frame } from './Frame.ts'

const options = {
  projectId: 'test',
  embeddedWallet: { url: 'https://wallet.example/' }
} as unknown as CreateAppKit

let told: CoreEvent[]
let frame: Frame
let theirs: FakeFrame

beforeEach(() => {
  told = []
  frame = new Frame({ place: document.body, dispatch: (event) => told.push(event) }, addressOf(options, 'eip155:1'))
})
afterEach(() => frame.close())

const element = () => document.querySelector('iframe') as HTMLIFrameElement

async function ready(): Promise<void> {
  const opened = frame.open()
  theirs = new FakeFrame(element())
  theirs.greet()
  await opened
}

/** Whether a promise is still pending after everything that was posted has arrived. */
async function pending(promise: Promise<unknown>): Promise<boolean> {
  const { port1, port2 } = new MessageChannel()
  const arrived = new Promise((resolve) => {
    port2.onmessage = resolve
  })
  port1.postMessage(null)
  await arrived
  const nothing = Symbol('nothing')
  const first = await Promise.race([promise, Promise.resolve(nothing)])
  port1.close()
  return first === nothing
}

describe('the frame in the page', () => {
  it('spec_7_11_and_9_14_the address names project, chain, host, version and logger', () => {
    expect(addressOf(options, 'eip155:1').href.split('#')[0]).toBe(
      `https://wallet.example/frame/v4/latest?projectId=test&chainId=eip155%3A1&host=${encodeURIComponent(location.origin)}&version=4&enableLogger=true&lang=en`
    )
  })

  it('the address names the page for its way back in a part that no server gets', () => {
    const back = () => new URLSearchParams(addressOf(options, null).hash.slice(1)).get('back')
    expect(back()).toBe(location.href)
    history.replaceState(null, '', `/cart?${'a'.repeat(2048)}`)
    expect(back()).toBe(`${location.origin}/cart`)
    history.replaceState(null, '', '/')
  })

  it('a pinned build is opened by its own path, and a pin with a mistake opens none', () => {
    const path = (frameIntegrity: string) =>
      addressOf({ ...options, embeddedWallet: { url: 'https://wallet.example', frameIntegrity } }, null).pathname
    expect(path('0a'.repeat(32))).toBe(`/frame/v4/${'0a'.repeat(32)}/index.html`)
    for (const wrong of ['', 'latest', '0a', `${'0a'.repeat(31)}0A`, `../${'a'.repeat(61)}`])
      expect(() => path(wrong)).toThrow('frameIntegrity')
  })

  it('has as much room as its content needs', async () => {
    await ready()
    const room = () => document.body.style.getPropertyValue('--frame')
    const tell = (height: unknown) => theirs.send({ type: '@w3m-frame/HEIGHT', id: 'height', payload: { height } })
    tell(312)
    await expect.poll(room).toBe('312px')
    for (const height of ['9999px;color:red', null, -1, Number.NaN]) tell(height)
    tell(313)
    await expect.poll(room).toBe('313px')
  })

  it('Escape in it asks the dialog that shows it to close, and none while it is hidden', async () => {
    const shadow = document.body.attachShadow({ mode: 'open' })
    const dialog = document.createElement('dialog')
    const asked: boolean[] = []
    dialog.addEventListener('cancel', ({ cancelable }) => asked.push(cancelable))
    await ready()
    const press = () => theirs.send({ type: '@w3m-frame/ESCAPE', id: 'escape' })
    Object.defineProperty(element(), 'assignedSlot', { configurable: true, value: null })
    press()
    expect(await pending(new Promise(() => {}))).toBe(true)
    shadow.append(dialog)
    dialog.innerHTML = '<slot name="w3m-frame"></slot>'
    Object.defineProperty(element(), 'assignedSlot', { value: dialog.firstElementChild })
    press()
    await expect.poll(() => asked).toEqual([true])
  })

  it('the address names the language of the modal', () => {
    const lang = (given: object) => addressOf({ ...options, ...given }, null).searchParams.get('lang')
    document.documentElement.lang = 'ar-EG'
    expect([lang({}), lang({ locale: 'de' })]).toEqual(['ar-EG', 'de'])
    document.documentElement.lang = ''
    expect(lang({})).toBe('en')
  })

  it('has the id and name that hosts know, a sandbox, and hands rights to its own origin alone', async () => {
    await ready()
    const { id, name, slot } = element()
    expect([id, name, slot]).toEqual(['w3m-iframe', 'w3m-secure-iframe', 'w3m-frame'])
    expect(element().getAttribute('sandbox')).toContain('allow-same-origin')
    expect(element().getAttribute('sandbox')).not.toContain('allow-top-navigation')
    expect(rightsOf(new URL('https://wallet.example/frame'))).toBe(
      'publickey-credentials-get https://wallet.example; publickey-credentials-create https://wallet.example; clipboard-write https://wallet.example; storage-access https://wallet.example'
    )
  })

  it('that is closed before it is ready never will be', async () => {
    const opened = frame.open()
    frame.close()
    await expect(opened).rejects.toThrow('closed')
  })

  it('is gone once it is closed', async () => {
    await ready()
    frame.close()
    expect(document.querySelector('iframe')).toBeNull()
  })
})

describe('the first message', () => {
  it.each([
    ['of another origin', () => ({ origin: 'https://evil.example' })],
    ['of no origin', () => ({ origin: 'null' })],
    ['of another window', () => ({ source: window })],
    ['of no window', () => ({ source: null })],
    ['without a port', () => ({ ports: [] })],
    ['with two ports', () => ({ ports: [new MessageChannel().port1, new MessageChannel().port1] })],
    ['of another type', () => ({ data: { type: '@w3m-frame/CONNECT_OTP_SUCCESS' } })],
    ['that is no message', () => ({ data: null })]
  ])('%s opens nothing', async (_, forged) => {
    const opened = frame.open()
    new FakeFrame(element()).greet(forged())
    expect(await pending(opened)).toBe(true)
    expect(await frame.ask('IS_CONNECTED', null)).toMatchObject({ type: 'failed' })
  })

  it('again means that the frame loaded anew: open requests fail, and the core is told', async () => {
    await ready()
    const asked = frame.ask('GET_USER', {})
    theirs.greet()
    expect(await asked).toEqual({ type: 'failed', error: { message: 'The frame is gone' } })
    expect(told).toEqual([{ feature: 'embedded', event: { type: 'frameRestarted' } }])
    const again = frame.ask('IS_CONNECTED', null)
    theirs.succeed(await theirs.next(), { isConnected: true })
    expect(await again).toEqual({ type: 'answered', value: { isConnected: true } })
  })
})

describe('a request', () => {
  beforeEach(ready)

  it('has a type, an id and its payload, and its answer comes back by the id', async () => {
    const one = frame.ask('CONNECT_EMAIL', { email: 'a@example.org' })
    const first = await theirs.next()
    const two = frame.ask('GET_CHAIN_ID', null)
    const second = await theirs.next()
    expect(first).toEqual({ type: '@w3m-app/CONNECT_EMAIL', id: first.id, payload: { email: 'a@example.org' } })
    expect(second).toEqual({ type: '@w3m-app/GET_CHAIN_ID', id: second.id })
    expect(first.id).toMatch(/^[\da-f]{16}$/)
    theirs.succeed(second, { chainId: 1 })
    theirs.succeed(first, { action: 'VERIFY_OTP' })
    expect(await one).toEqual({ type: 'answered', value: { action: 'VERIFY_OTP' } })
    expect(await two).toEqual({ type: 'answered', value: { chainId: 1 } })
  })

  it('spec_8_39_an_error_keeps_its_message_and_code_if_they_are_such', async () => {
    for (const [payload, error] of [
      [
        { message: 'Declined', code: 4001 },
        { message: 'Declined', code: 4001 }
      ],
      [{ message: 7, code: 'x' }, { message: '' }],
      [undefined, { message: '' }],
      ['nonsense', { message: '' }]
    ]) {
      const asked = frame.ask('RPC_REQUEST', {})
      theirs.fail(await theirs.next(), payload)
      expect(await asked).toEqual({ type: 'failed', error })
    }
  })

  it('takes no answer with another id, another type, or of the page itself', async () => {
    const asked = frame.ask('CONNECT_OTP', { otp: '123456' })
    const request = await theirs.next()
    theirs.succeed({ ...request, id: 'other' })
    theirs.send({ type: '@w3m-frame/GET_USER_SUCCESS', id: request.id })
    theirs.send({ type: '@w3m-app/CONNECT_OTP_SUCCESS', id: request.id })
    theirs.send({ type: '@w3m-frame/CONNECT_OTP_SUCCESS', id: 7 })
    theirs.send({ type: '@w3m-frame/CONNECT_OTP_SUCCESS', id: 'a'.repeat(65) })
    theirs.send('CONNECT_OTP_SUCCESS')
    theirs.send(null)
    expect(await pending(asked)).toBe(true)
    theirs.succeed(request)
    expect(await asked).toEqual({ type: 'answered', value: null })
  })

  it('drops an answer that is too large', async () => {
    const asked = frame.ask('RPC_REQUEST', {})
    const request = await theirs.next()
    theirs.succeed(request, 'x'.repeat(262_144))
    expect(await pending(asked)).toBe(true)
  })

  it('that is too large is not sent', async () => {
    expect(await frame.ask('RPC_REQUEST', { params: ['x'.repeat(262_144)] })).toMatchObject({ type: 'failed' })
    expect(theirs.heard).toEqual([])
  })

  it('is answered once, however often the frame answers', async () => {
    const asked = frame.ask('IS_CONNECTED', null)
    const request = await theirs.next()
    theirs.succeed(request, { isConnected: false })
    theirs.succeed(request, { isConnected: true })
    expect(await asked).toEqual({ type: 'answered', value: { isConnected: false } })
  })

  it('to withdraw what the visitor decides about is answered at once', async () => {
    expect(await frame.ask('RPC_ABORT', null)).toEqual({ type: 'done' })
    expect(await theirs.next()).toMatchObject({ type: '@w3m-app/RPC_ABORT' })
  })

  it('fails when the frame is closed', async () => {
    const asked = frame.ask('CONNECT_DEVICE', null)
    frame.close()
    expect(await asked).toMatchObject({ type: 'failed' })
  })
})

describe('an envelope', () => {
  it('is nothing before it is read', () => {
    for (const data of [null, 1, 'x', [], {}, { type: '@w3m-frame/X' }, { type: '@w3m-frame/X', id: '' }]) {
      expect(read(data)).toBeUndefined()
    }
    expect(read({ type: '@w3m-frame/X', id: '1', payload: { a: 1 } })).toEqual({
      name: 'X',
      id: '1',
      payload: { a: 1 }
    })
    expect(read({ type: '@w3m-frame/X', id: '1', payload: 1n })).toBeUndefined()
  })

  it('has a size in bytes, not in letters', () => {
    expect(isLarge('x'.repeat(262_142))).toBe(false)
    expect(isLarge('x'.repeat(262_143))).toBe(true)
    expect(isLarge('é'.repeat(131_072))).toBe(true)
  })
})
