//! The embedded wallet's frame in Chromium, against the real server, vault and chain. The page speaks the messages itself.

import { createRequire } from 'node:module'
import type { Browser, BrowserContext, FrameLocator, Page } from 'playwright-core'
import { type Hex, verifyMessage, verifyTypedData } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startBrowser } from './world/browser.ts'
import { builtFrame, startWallet, type WalletWorld } from './world/wallet.ts'

const require = createRequire(import.meta.url)

interface Answer {
  readonly type: string
  readonly payload?: unknown
}

interface HostPage {
  port?: MessagePort
  ask(event: string, payload?: unknown): Promise<Answer>
}

let world: WalletWorld
let browser: Browser
let context: BrowserContext
let page: Page
let frame: FrameLocator
/** Violations of the frame's policy, and errors of its scripts. */
const troubles: string[] = []

beforeAll(async () => {
  ;[world, browser] = await Promise.all([startWallet(), startBrowser()])
  context = await browser.newContext({ viewport: { width: 480, height: 800 } })
  page = await context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text())
  })
  page.on('pageerror', (error) => troubles.push(String(error)))
  await embed(page, world.host)
  frame = page.frameLocator('iframe')
})

afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

/** Opens a host page and puts the frame into it; resolves with whether the frame greeted the page. */
async function embed(on: Page, host: string, waits = 10_000, lang = 'en'): Promise<boolean> {
  await on.goto(host)
  const address = new URL(`${world.wallet}/frame/v4/latest`)
  for (const [name, value] of Object.entries({ projectId: 'demo', chainId: 'eip155:31337', host, version: '4', lang }))
    address.searchParams.set(name, value)
  return on.evaluate(
    ([href, origin, limit]) => {
      const host = window as unknown as HostPage
      const waiting = new Map<string, (answer: Answer) => void>()
      host.ask = (event, payload) =>
        new Promise((resolve) => {
          const id = crypto.randomUUID()
          waiting.set(id, resolve)
          host.port?.postMessage({ type: `@w3m-app/${event}`, id, payload })
        })
      const frame = document.createElement('iframe')
      frame.sandbox.add('allow-scripts', 'allow-same-origin', 'allow-popups', 'allow-forms')
      frame.style.cssText = 'width:400px;height:700px;border:0'
      frame.src = href
      return new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(false), limit)
        window.addEventListener('message', ({ data, source, origin: from, ports: [port] }) => {
          if (source !== frame.contentWindow || from !== origin || data.type !== '@w3m-frame/READY' || !port) return
          host.port = port
          port.onmessage = ({ data }) => waiting.get(data.id)?.(data)
          clearTimeout(timer)
          resolve(true)
        })
        document.body.append(frame)
      })
    },
    [address.href, world.wallet, waits] as const
  )
}

function ask(event: string, payload?: unknown): Promise<Answer> {
  return page.evaluate(([event, payload]) => (window as unknown as HostPage).ask(event as string, payload), [
    event,
    payload
  ] as const)
}

const rpc = (method: string, params: unknown[]) => ask('RPC_REQUEST', { method, params })

async function approve(): Promise<void> {
  await frame.getByRole('button', { name: 'Approve' }).click({ timeout: 10_000 })
}

/** Signs a message. A signature ends the count of declined requests, three of which in a minute bring a rest from further ones. */
async function trusted(): Promise<void> {
  const answer = rpc('personal_sign', ['0x6869', await account()])
  await approve()
  await answer
}

async function mailOf(pattern: RegExp): Promise<string> {
  let found: string | undefined
  await expect
    .poll(async () => {
      found = (await world.mails()).map(({ text }) => pattern.exec(text)?.[0]).find((text) => text !== undefined)
      return found
    })
    .toBeDefined()
  return found as string
}

async function account(): Promise<Hex> {
  const { payload } = await ask('GET_USER')
  return (payload as { address: Hex }).address
}

it('spec_3_29_an_unknown_device_is_approved_and_its_code_makes_a_wallet', async () => {
  const begun = await ask('CONNECT_EMAIL', { email: 'visitor@example.org' })
  expect(begun).toMatchObject({ type: '@w3m-frame/CONNECT_EMAIL_SUCCESS', payload: { action: 'VERIFY_DEVICE' } })
  const approved = ask('CONNECT_DEVICE')
  const other = await context.newPage()
  await other.goto(await mailOf(/http:\/\/localhost:\d+\/approve\S+/))
  await other.getByRole('button', { name: 'Approve' }).click()
  expect(await approved).toMatchObject({ type: '@w3m-frame/CONNECT_DEVICE_SUCCESS' })
  await other.close()
  const otp = await mailOf(/\b\d{3} ?\d{3}\b/)
  expect(await ask('CONNECT_OTP', { otp })).toMatchObject({ type: '@w3m-frame/CONNECT_OTP_SUCCESS' })
  expect(await ask('GET_USER')).toMatchObject({
    payload: { email: 'visitor@example.org', address: expect.stringMatching(/^0x[\da-fA-F]{40}$/), chainId: 31337 }
  })
})

it('a message is signed after a click in the frame, and viem verifies it', async () => {
  const address = await account()
  const message = 'Hello from the host'
  const signed = rpc('personal_sign', [`0x${Buffer.from(message).toString('hex')}`, address])
  await frame.getByText(message).waitFor()
  expect(await frame.getByText(world.host).count()).toBe(1)
  await approve()
  const { payload } = await signed
  expect(await verifyMessage({ address, message, signature: payload as Hex })).toBe(true)
})

it('typed data are signed, and viem verifies them', async () => {
  const address = await account()
  const data = {
    domain: { name: 'Post', chainId: 31337 },
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'chainId', type: 'uint256' }
      ],
      Mail: [{ name: 'contents', type: 'string' }]
    },
    primaryType: 'Mail',
    message: { contents: 'Hi' }
  } as const
  const signed = rpc('eth_signTypedData_v4', [address, JSON.stringify(data)])
  await frame.getByText('contents: Hi').waitFor()
  await approve()
  const { EIP712Domain: _, ...types } = data.types
  expect(await verifyTypedData({ ...data, types, address, signature: (await signed).payload as Hex })).toBe(true)
})

it('spec_4_39_a_transaction_is_shown_with_its_fee_sent_and_mined_under_the_hash_that_the_host_gets', async () => {
  const address = await account()
  await world.chain.request('anvil_setBalance', [address, '0xde0b6b3a7640000'])
  const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const before = BigInt((await world.chain.request('eth_getBalance', [to, 'latest'])) as string)
  const sent = rpc('eth_sendTransaction', [{ from: address, to, value: '0x16345785d8a0000' }])
  await frame.getByText('Max network fee').waitFor()
  expect(await frame.getByText(to).count()).toBe(1)
  await approve()
  const { type, payload } = await sent
  expect(type).toBe('@w3m-frame/RPC_REQUEST_SUCCESS')
  // The node answers with the hash before its block is made.
  await expect
    .poll(() => world.chain.request('eth_getTransactionReceipt', [payload]))
    .toMatchObject({ status: '0x1', from: address.toLowerCase() })
  expect(BigInt((await world.chain.request('eth_getBalance', [to, 'latest'])) as string) - before).toBe(10n ** 17n)
})

it('an address that looks like a paid one is told, and one that was paid is not', async () => {
  const address = await account()
  await world.chain.request('anvil_setBalance', [address, '0xde0b6b3a7640000'])
  // The receiver of the transaction before.
  const paid = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const flagsOf = async (to: string) => {
    const sent = rpc('eth_sendTransaction', [{ from: address, to, value: '0x1' }])
    await frame.getByText('Max network fee').waitFor()
    const flags = await frame.locator('.flags p').allTextContents()
    const named = await frame.locator('[data-row=paidBefore]').allTextContents()
    await frame.getByRole('button', { name: 'Decline' }).click()
    expect(await sent).toMatchObject({ type: '@w3m-frame/RPC_REQUEST_ERROR' })
    return [...flags, ...named]
  }
  expect(await flagsOf(paid)).toEqual([])
  expect(await flagsOf('0x7099000000000000000000000000000000dc79c8')).toEqual([
    "Looks like an address you've paid, but it's different. Possible scam.",
    `You paid${paid}`
  ])
  await trusted()
  const first = 'First time sending to this address from this browser. Check every character.'
  expect(await flagsOf('0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc')).toEqual([first])
  // A page that is loaded anew knows it still: it is in the frame's own storage.
  expect(await embed(page, world.host)).toBe(true)
  await ask('IS_CONNECTED')
  expect(await flagsOf(paid)).toEqual([])
})

it('a chain has the name of the server, with its number, whatever the page calls it', async () => {
  await trusted()
  const address = await account()
  await ask('SYNC_DAPP_DATA', { metadata: { name: 'Shop', network: 'Ethereum' } })
  const signed = ask('RPC_REQUEST', { method: 'personal_sign', params: ['0x6869', address], chainName: 'Ethereum' })
  await frame.getByText('Devnet (chain 31337)').waitFor()
  await frame.getByRole('button', { name: 'Decline' }).click()
  await signed
})

it('an approval is in the language that the page asks for, and fits a phone of 320 pixels', async () => {
  const address = await account()
  const arabic = await context.newPage()
  expect(await embed(arabic, world.host, 10_000, 'ar')).toBe(true)
  const own = arabic.frameLocator('iframe')
  await arabic.evaluate(() => (window as unknown as HostPage).ask('IS_CONNECTED'))
  await arabic.evaluate(() => document.querySelector('iframe')?.style.setProperty('width', '320px'))
  const signed = arabic.evaluate(
    (address) =>
      (window as unknown as HostPage).ask('RPC_REQUEST', { method: 'personal_sign', params: ['0x6869', address] }),
    address
  )
  await own.getByRole('button', { name: 'موافقة' }).waitFor()
  const [direction, spills] = await own
    .locator('html')
    .evaluate((root) => [root.getAttribute('dir'), root.scrollWidth > root.clientWidth])
  expect([direction, spills]).toEqual(['rtl', false])
  await own.getByRole('button', { name: 'رفض' }).click()
  await signed
  await arabic.close()
})

it('a call of a contract shows what a simulation expects to leave the account', async () => {
  await trusted()
  const address = await account()
  await world.chain.request('anvil_setBalance', [address, '0xde0b6b3a7640000'])
  const [deployer] = (await world.chain.request('eth_accounts')) as [Hex]
  const { bytecode } = require('@uniswap/v2-periphery/build/WETH9.json') as { bytecode: Hex }
  const deployed = await world.chain.request('eth_sendTransaction', [{ from: deployer, data: bytecode }])
  let contract: Hex | undefined
  await expect
    .poll(async () => {
      const receipt = await world.chain.request('eth_getTransactionReceipt', [deployed])
      contract = (receipt as { contractAddress: Hex } | null)?.contractAddress
      return contract
    })
    .toBeDefined()
  // deposit()
  const sent = rpc('eth_sendTransaction', [
    { from: address, to: contract, value: '0x16345785d8a0000', data: '0xd0e30db0' }
  ])
  const expected = frame.getByRole('region', { name: 'Expected effect' })
  await expected.waitFor()
  expect(await expected.locator('[data-row=leaves]').textContent()).toBe('You send0.1 ETH')
  await frame.getByRole('button', { name: 'Decline' }).click()
  expect(await sent).toMatchObject({ type: '@w3m-frame/RPC_REQUEST_ERROR' })
})

it('a click of a script and a message of the page approve nothing, and Cancel aborts (spec 8.37)', async () => {
  const address = await account()
  const signature = rpc('personal_sign', ['0x6869', address])
  const button = frame.getByRole('button', { name: 'Approve' })
  await button.and(frame.locator(':enabled')).waitFor()
  await button.evaluate((element: HTMLElement) => element.click())
  expect(await ask('APPROVED', { approval: 1, revision: 1 })).toMatchObject({ type: '@w3m-frame/APPROVED_ERROR' })
  await frame.getByRole('button', { name: 'Decline' }).click()
  expect(await signature).toMatchObject({
    type: '@w3m-frame/RPC_REQUEST_ERROR',
    payload: { message: 'Request was aborted' }
  })
})

it('the session outlives a reload, and signing out ends it', async () => {
  const address = await account()
  expect(await embed(page, world.host)).toBe(true)
  expect(await ask('IS_CONNECTED')).toMatchObject({ payload: { isConnected: true } })
  const signed = rpc('personal_sign', ['0x6869', address])
  await approve()
  expect(await verifyMessage({ address, message: 'hi', signature: (await signed).payload as Hex })).toBe(true)
  expect(await ask('SIGN_OUT')).toMatchObject({ type: '@w3m-frame/SIGN_OUT_SUCCESS' })
  expect(await ask('IS_CONNECTED')).toMatchObject({ payload: { isConnected: false } })
})

it('the server serves the build under the hash that the build prints, and no other hash', async () => {
  const latest = await fetch(`${world.wallet}/frame/v4/latest?projectId=demo&host=x&version=4`, { redirect: 'manual' })
  const { integrityOf } = await import('../packages/frame/integrity.mjs')
  const hash: string = await integrityOf(builtFrame())
  expect(latest.headers.get('location')).toContain(`/frame/v4/${hash}/index.html?`)
  const other = hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))
  const query = `projectId=demo&host=${encodeURIComponent(world.host)}&version=4`
  const status = async (build: string) => (await fetch(`${world.wallet}/frame/v4/${build}/index.html?${query}`)).status
  expect([await status(hash), await status(other)]).toEqual([200, 404])
})

it('nothing in the frame broke its policy, and no token is in the storage that a page can read', async () => {
  expect(troubles).toEqual([])
  const stored = await page.frames()[1]?.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(stored).toBe('[{},{}]')
})

it('a page of another origin cannot embed the frame', async () => {
  const other = await context.newPage()
  expect(await embed(other, world.stranger, 3_000)).toBe(false)
  await other.close()
})
