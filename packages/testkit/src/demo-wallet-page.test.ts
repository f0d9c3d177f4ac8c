// @vitest-environment happy-dom

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  createDemoWallet,
  type DemoWallet,
  type DemoWalletOptions,
  type Provider,
  type ProviderInfo,
  startDemoWallets
} from './index.ts'

const FIRST = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const SECOND = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const CONNECT = { method: 'eth_requestAccounts' }
const chains = [
  { chainId: 31337, name: 'Local', rpcUrl: 'http://127.0.0.1:9' },
  { chainId: 31338, name: 'Other', rpcUrl: 'http://127.0.0.1:9' }
]

interface Detail {
  readonly info: ProviderInfo
  readonly provider: Provider
}

let announced: Detail[] = []
let made: DemoWallet[] = []
const listener = (event: Event) => announced.push((event as CustomEvent<Detail>).detail)

function wallet(options: Partial<DemoWalletOptions> = {}): DemoWallet {
  const one = createDemoWallet({ chains, ...options })
  made.push(one)
  return one
}

beforeEach(() => {
  localStorage.clear()
  announced = []
  made = []
  window.addEventListener('eip6963:announceProvider', listener)
})

afterEach(() => {
  for (const { controls } of made) controls.withdraw()
  window.removeEventListener('eip6963:announceProvider', listener)
  vi.useRealTimers()
})

describe('announcing', () => {
  it('presents itself in a frozen detail, and again whenever the page asks', () => {
    const { info, provider, announce } = wallet({ name: 'Shown', rdns: 'test.shown' })
    expect(announced).toEqual([])
    announce()
    window.dispatchEvent(new Event('eip6963:requestProvider'))
    expect(announced).toHaveLength(2)
    for (const detail of announced) {
      expect(detail.provider).toBe(provider)
      expect(Object.isFrozen(detail) && Object.isFrozen(detail.info)).toBe(true)
    }
    expect(info).toMatchObject({ name: 'Shown', rdns: 'test.shown' })
    expect(info.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(info.icon).toMatch(/^data:image\/svg\+xml,/)
  })

  it('stays unknown to the page until its late announcement', async () => {
    vi.useFakeTimers()
    wallet({ late: 500 }).announce()
    window.dispatchEvent(new Event('eip6963:requestProvider'))
    await vi.advanceTimersByTimeAsync(499)
    expect(announced).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(announced).toHaveLength(1)
  })

  it('waits for its controls when the announcement is manual', () => {
    const { announce, controls } = wallet({ late: 'manual' })
    announce()
    expect(announced).toEqual([])
    controls.announce()
    expect(announced).toHaveLength(1)
  })

  it('takes window.ethereum only when asked to and when it is free', () => {
    const first = wallet({ legacy: true })
    const second = wallet({ legacy: true })
    const page = globalThis as { ethereum?: unknown }
    wallet().announce()
    expect(page.ethereum).toBeUndefined()
    first.announce()
    second.announce()
    expect(page.ethereum).toBe(first.provider)
    second.controls.withdraw()
    expect(page.ethereum).toBe(first.provider)
    first.controls.withdraw()
    expect(page.ethereum).toBeUndefined()
  })

  it('presents every wallet of the URL under its own name and identity', () => {
    made = startDemoWallets('/?wallet=normal&wallet=refuse,name=No', { chains })
    expect(announced.map(({ info }) => info.name)).toEqual(['Demo Wallet', 'No'])
    expect(new Set(announced.flatMap(({ info }) => [info.uuid, info.rdns, info.icon])).size).toBe(6)
  })
})

describe('remembering', () => {
  it('keeps the permission in the storage of the page', async () => {
    await wallet({ approval: 'auto' }).provider.request(CONNECT)
    expect(localStorage.length).toBe(1)
    const reloaded = wallet({ approval: () => false })
    expect(await reloaded.provider.request({ method: 'eth_accounts' })).toEqual([FIRST])
  })
})

function popup(): ShadowRoot | null {
  return document.querySelector('demo-wallet-popup')?.shadowRoot ?? null
}

function part<T extends HTMLElement = HTMLElement>(testId: string): T {
  const found = popup()?.querySelector<T>(`[data-testid="${testId}"]`)
  if (!found) throw new Error(`The dialog shows no ${testId}`)
  return found
}

async function shown(): Promise<void> {
  await expect.poll(() => popup()).not.toBeNull()
}

describe('the approval dialog', () => {
  it('names the wallet, the site and the question, and connects the account that was chosen', async () => {
    const { provider } = wallet({ name: 'Shown' })
    const request = provider.request(CONNECT)
    await shown()
    const dialog = part<HTMLDialogElement>('demo-wallet-dialog')
    expect(dialog.open).toBe(true)
    for (const words of ['Shown', 'Demo wallet – test keys only', location.origin, 'Connect to this site']) {
      expect(dialog.textContent).toContain(words)
    }
    part('demo-wallet-account-1').click()
    part('demo-wallet-approve').click()
    expect(await request).toEqual([SECOND])
    expect(popup()).toBeNull()
  })

  it('is English from left to right, whatever the language and direction of the page', async () => {
    document.documentElement.dir = 'rtl'
    document.documentElement.lang = 'ar'
    try {
      const { provider } = wallet()
      const request = provider.request(CONNECT)
      await shown()
      const { lang, dir } = part<HTMLDialogElement>('demo-wallet-dialog')
      expect([lang, dir]).toEqual(['en', 'ltr'])
      part('demo-wallet-approve').click()
      await request
    } finally {
      document.documentElement.removeAttribute('dir')
      document.documentElement.removeAttribute('lang')
    }
  })

  it('refuses by its button and by Escape', async () => {
    const { provider } = wallet()
    const refuse = [
      () => part('demo-wallet-reject').click(),
      () => part('demo-wallet-dialog').dispatchEvent(new Event('cancel', { cancelable: true }))
    ]
    for (const act of refuse) {
      const request = provider.request(CONNECT)
      await shown()
      act()
      await expect(request).rejects.toMatchObject({ code: 4001 })
      expect(popup()).toBeNull()
    }
  })

  it('tells what is signed, sent and switched in words', async () => {
    const { provider, controls } = wallet({ approval: 'auto' })
    await provider.request(CONNECT)
    controls.setApproval('dialog')
    const sign = provider.request({ method: 'personal_sign', params: ['0x48656c6c6f', FIRST] })
    await shown()
    expect(part('demo-wallet-dialog').textContent).toContain('Hello')
    part('demo-wallet-approve').click()
    expect(await sign).toMatch(/^0x/)

    const change = provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x7a6a' }] })
    await shown()
    expect([...(popup()?.querySelectorAll('dd') ?? [])].map((value) => value.textContent)).toEqual(['Local', 'Other'])
    part('demo-wallet-approve').click()
    expect(await change).toBeNull()
  })

  it('shows one request after the other', async () => {
    const { provider, controls } = wallet({ approval: 'auto' })
    await provider.request(CONNECT)
    controls.setApproval('dialog')
    const requests = ['one', 'two'].map((text) => provider.request({ method: 'personal_sign', params: [text, FIRST] }))
    await expect.poll(() => controls.pending.length).toBe(2)
    expect(document.querySelectorAll('demo-wallet-popup')).toHaveLength(1)
    expect(popup()?.querySelector('pre')?.textContent).toBe('one')
    part('demo-wallet-reject').click()
    await expect(requests[0]).rejects.toMatchObject({ code: 4001 })
    await expect.poll(() => popup()?.querySelector('pre')?.textContent).toBe('two')
    part('demo-wallet-approve').click()
    expect(await requests[1]).toMatch(/^0x/)
  })

  it('goes away when the wallet answers from its controls', async () => {
    const { provider, controls } = wallet()
    const request = provider.request(CONNECT)
    await shown()
    controls.approve(SECOND)
    expect(await request).toEqual([SECOND])
    await expect.poll(() => popup()).toBeNull()
  })

  it('keeps its events from the page', async () => {
    const { provider } = wallet()
    const heard: string[] = []
    const listen = (event: Event) => heard.push(event.type)
    for (const type of ['click', 'keydown']) document.addEventListener(type, listen)
    const request = provider.request(CONNECT)
    await shown()
    part('demo-wallet-approve').dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true })
    )
    part('demo-wallet-approve').click()
    await request
    for (const type of ['click', 'keydown']) document.removeEventListener(type, listen)
    expect(heard).toEqual([])
  })
})
