// @vitest-environment happy-dom

import { FakeFrame } from '@portico/testkit'
import { afterEach, expect, it, vi } from 'vitest'
import { idle } from '../../generated/idle.ts'
import type { CreateAppKit } from '../../host/options.ts'
import { frameHands } from './hands.ts'

const options = {
  projectId: 'test',
  embeddedWallet: { url: 'https://wallet.example' },
  metadata: { name: 'Shop', url: 'https://shop.example', icons: ['/icon.svg'] }
} as unknown as CreateAppKit

const hands = (place: Element | undefined = document.body) =>
  frameHands({ options: () => options, snapshot: () => idle, place: () => place, dispatch() {} })

const element = () => document.querySelector('iframe') as HTMLIFrameElement

async function opened(ours = hands()) {
  const before = element()
  const open = ours.open('eip155:1')
  await vi.waitFor(() => expect(element() && element() !== before).toBe(true))
  const theirs = new FakeFrame(element())
  theirs.greet()
  expect(await open).toEqual({ type: 'done' })
  return { ours, theirs }
}

afterEach(() => document.body.replaceChildren())

it('spec_7_32_and_3_27_the_frame_hears_of_the_host_before_anything_else', async () => {
  const { ours, theirs } = await opened()
  void ours.ask('SYNC_DAPP_DATA', null)
  void ours.ask('CONNECT_EMAIL', { email: 'a@example.org' })
  await vi.waitFor(() => expect(theirs.heard).toHaveLength(2))
  expect(theirs.heard.map(({ type }) => type)).toEqual(['@w3m-app/SYNC_DAPP_DATA', '@w3m-app/CONNECT_EMAIL'])
  expect(theirs.heard[0]?.payload).toMatchObject({
    metadata: { name: 'Shop', url: 'https://shop.example' },
    sdkType: 'appkit',
    projectId: 'test'
  })
})

it('spec_7_31_and_3_26_the_frame_is_told_the_theme', async () => {
  const { ours, theirs } = await opened()
  void ours.ask('SYNC_THEME', null)
  expect((await theirs.next()).payload).toEqual({ themeMode: 'dark', themeVariables: null })
})

it('a second frame takes the place of the first', async () => {
  const { ours } = await opened()
  await opened(ours)
  expect(document.querySelectorAll('iframe')).toHaveLength(1)
})

it('a page without a modal has no frame, and none is asked before it is there', async () => {
  await expect(
    frameHands({ options: () => options, snapshot: () => idle, place: () => undefined, dispatch() {} }).open(null)
  ).rejects.toThrow('without a modal')
  await expect(hands().ask('IS_CONNECTED', null)).rejects.toThrow("isn't loaded")
})
