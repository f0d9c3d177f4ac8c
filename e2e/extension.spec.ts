//! A wallet that is a browser extension (Manifest V3), with one name in all namespaces: its scripts come before the page's, and it asks in
//! windows of its own.

import { ed25519 } from '@noble/curves/ed25519'
import { base58 } from '@scure/base'
import type { Page } from 'playwright-core'
import { verifyMessage } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ACCOUNT } from './pages/journey.ts'
import { Modal } from './pages/modal.ts'
import { useWorld } from './use-world.ts'
import { type ExtendedBrowser, startExtended } from './world/extension.ts'
import { type Solana, startSolana } from './world/solana.ts'

const NAMESPACES = ['eip155', 'solana', 'bip122', 'polkadot'] as const

let solana: Solana
let browser: ExtendedBrowser
let page: Page
let modal: Modal
let errors: Error[]

const world = useWorld(async () => {
  solana = await startSolana()
  return { solana }
})

beforeAll(async () => {
  const { id, name, rpcUrl } = world.one
  browser = await startExtended({
    chains: [{ chainId: id, name, rpcUrl }],
    nodes: { 'solana:localnet': solana.url }
  })
})

afterAll(async () => {
  await browser?.stop()
  await solana?.stop()
})

async function visit(): Promise<void> {
  errors = []
  page = await browser.context.newPage()
  page.on('pageerror', (error) => errors.push(error))
  modal = new Modal(page)
  const reference = solana.id.slice('solana:'.length)
  await page.goto(`${world.origin}/?testkit=off&relays=off&solana=${reference}&bitcoin=mainnet&polkadot=polkadot`)
  await page.evaluate('localStorage.clear()')
  await page.reload()
}

afterEach(async () => {
  await page.close()
  expect(errors).toEqual([])
})

/** Chooses the wallet in the modal, and the namespace, until it asks. */
async function choose(namespace: string): Promise<Page> {
  await modal.connectButton.click()
  await modal.card.getByText('Extension Wallet').click()
  return browser.asked('connect', () => modal.part(`multi-chain-${namespace}`).click())
}

/** Presses a button of the wallet's window, which closes then, sometimes before the browser has reported the click. */
async function press(window: Page, name: 'Approve' | 'Reject'): Promise<void> {
  const closed = window.waitForEvent('close')
  await Promise.allSettled([window.getByRole('button', { name }).click()])
  await closed
}

const approve = (window: Page) => press(window, 'Approve')

async function connect(namespace: string): Promise<string> {
  await approve(await choose(namespace))
  await modal.accountButton.waitFor()
  return page.evaluate(`window.kit.getAddress('${namespace}')`)
}

describe('a browser extension with one name in all namespaces', () => {
  it('spec_1_3_is_one_row_whose_namespaces_the_visitor_chooses_among', async () => {
    await visit()
    await modal.connectButton.click()
    const row = modal.card.getByText('Extension Wallet')
    await row.waitFor()
    expect(await row.count()).toBe(1)
    await row.click()
    for (const namespace of NAMESPACES) await modal.part(`multi-chain-${namespace}`).waitFor()
  })

  it.each(NAMESPACES)(
    'spec_4_1_connects_%s_is_back_after_a_reload_without_a_question_and_disconnects',
    async (namespace) => {
      await visit()
      const address = await connect(namespace)
      expect(address).toBeTruthy()
      await page.reload()
      await modal.accountButton.waitFor()
      expect(await page.evaluate(`window.kit.getAddress('${namespace}')`)).toBe(address)
      await page.evaluate(`window.kit.disconnect('${namespace}')`)
      await modal.connectButton.waitFor()
      // The wallet's window asked once, before the reload.
      expect(browser.context.pages().filter((one) => one.url().startsWith('chrome-extension:'))).toEqual([])
    }
  )

  it('tells the page who asks, and takes a refusal, and a closed window as one', async () => {
    await visit()
    const window = await choose('solana')
    expect(await window.locator('p').textContent()).toBe(new URL(world.origin).origin)
    await press(window, 'Reject')
    await modal.tryAgain.waitFor()
    const again = await browser.asked('connect', () => modal.tryAgain.click())
    await again.close()
    await modal.tryAgain.waitFor()
    const third = await browser.asked('connect', () => modal.tryAgain.click())
    await approve(third)
    await modal.accountButton.waitFor()
  })

  it('spec_5_31_signs_on_an_EVM_chain_and_on_Solana_what_the_visitor_reads_in_its_window', async () => {
    await visit()
    expect(await connect('eip155')).toBe(ACCOUNT)
    const message = 'Halcyon Prints: order 42'
    let signed: Promise<`0x${string}`> | undefined
    const asks = await browser.asked('sign', async () => {
      const params = JSON.stringify([`0x${Buffer.from(message).toString('hex')}`, ACCOUNT])
      signed = page.evaluate(`window.kit.getProvider('eip155').request({ method: 'personal_sign', params: ${params} })`)
    })
    expect(await asks.locator('dl').textContent()).toContain(message)
    await approve(asks)
    const signature = (await signed) as `0x${string}`
    expect(await verifyMessage({ address: ACCOUNT, message, signature })).toBe(true)
    await page.evaluate('window.kit.disconnect()')
    await modal.connectButton.waitFor()

    const address = await connect('solana')
    let second: Promise<number[]> | undefined
    const other = await browser.asked('sign', async () => {
      second = page.evaluate(
        `window.kit.getProvider('solana').signMessage(new TextEncoder().encode('${message}')).then((bytes) => [...bytes])`
      )
    })
    expect(await other.locator('dl').textContent()).toContain(message)
    await approve(other)
    const bytes = Uint8Array.from((await second) as number[])
    expect(ed25519.verify(bytes, new TextEncoder().encode(message), base58.decode(address))).toBe(true)
  })
})
