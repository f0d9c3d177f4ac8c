import { recoverTypedDataAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { connected, disconnected, open } from './pages/journey.ts'
import { ask, code, ONE, TWO } from './pages/remote.ts'
import { WalletPage } from './pages/wallet-page.ts'
import { account, typedData, typedDataText } from './peers/world/granted.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()

const CONNECT = 'Connect to this app?'
/** Receiver of the transactions that the page's libraries send. */
const RECEIVER = '0x00000000000000000000000000000000000c0dE5'

/** Opens the page, and the wallet in a second window with a separate profile. */
async function windows(): Promise<[Visit, WalletPage]> {
  const [visit, second] = await Promise.all([world.visit(), world.visit('/wallet/')])
  return [visit, new WalletPage(second.page)]
}

/** The wallet scans the QR code of the page. */
async function scan(visit: Visit, wallet: WalletPage): Promise<void> {
  await open(visit)
  await visit.modal.wallet('walletconnect').click()
  await wallet.scan(await pictureOf(visit))
}

/** Screenshot of the page with the QR code, after all movement has ended. */
async function pictureOf(visit: Visit): Promise<Buffer> {
  await code(visit).waitFor()
  await expect.poll(() => isWhole(visit)).toBe(true)
  return visit.page.screenshot({ animations: 'disabled' })
}

/** Whether the QR code is fully visible: the card grows to its height after the code is in it, and clips it until then. */
async function isWhole(visit: Visit): Promise<boolean> {
  const [card, inside] = await Promise.all([visit.modal.card.boundingBox(), code(visit).boundingBox()])
  return card !== null && inside !== null && inside.y + inside.height <= card.y + card.height
}

/** Opens both windows and connects them by QR code. */
async function together(): Promise<[Visit, WalletPage]> {
  const [visit, wallet] = await windows()
  await scan(visit, wallet)
  await wallet.approve(CONNECT)
  await visit.modal.gone()
  await connected(visit)
  return [visit, wallet]
}

const said = (visit: Visit) => visit.fact('library-result')

describe('the demo wallet in a second window', () => {
  it('connects by a picture of the code, signs a message and typed data, under a strict policy', async () => {
    const [visit, wallet] = await together()
    expect(await visit.fact('account-address')).toBe(account.address)
    expect(await visit.fact('account-wallet')).toBe('Demo Phone Wallet')
    for (const width of [320, 390]) {
      await wallet.page.setViewportSize({ width, height: 700 })
      expect(await wallet.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    }

    await visit.press('viem-sign')
    expect(await wallet.asks('Sign a message').getByTestId('request-details-chain').textContent()).toBe('Anvil One')
    const confirmed = `The relay confirms this is ${new URL(visit.page.url()).host}.`
    expect(await wallet.asks('Sign a message').getByTestId('session-info-verified').textContent()).toBe(confirmed)
    await wallet.approve('Sign a message')
    await expect.poll(() => said(visit)).toMatch(/^valid signature 0x/)

    const answer = ask(visit, 'eth_signTypedData_v4', [account.address, typedDataText])
    await wallet.asks('Sign data').getByText('Grüße').waitFor()
    await wallet.approve('Sign data')
    const signature = (await answer) as `0x${string}`
    expect(await recoverTypedDataAddress({ ...typedData, signature })).toBe(account.address)
    expect(visit.reports).toEqual([])
  })

  it('sends a transaction that the chain has', async () => {
    const [visit, wallet] = await together()
    const before = await world.one.balance(RECEIVER)
    await visit.press('viem-send')
    await wallet.asks('Send').getByTestId('request-to').getByText(RECEIVER).waitFor()
    await wallet.approve('Send')
    await expect.poll(() => said(visit)).toMatch(/^sent 0x/)
    await expect.poll(() => world.one.balance(RECEIVER)).toBeGreaterThan(before)
  })

  it('switches the network, as the page does, and signs for the one that both are on', async () => {
    const [visit, wallet] = await together()
    await wallet.showSessions()
    await wallet.chain(TWO).click()
    await expect.poll(() => visit.fact('network-caip-id')).toBe(TWO)
    await visit.press('viem-sign')
    expect(await wallet.asks('Sign a message').getByTestId('request-details-chain').textContent()).toBe('Anvil Two')
    await wallet.approve('Sign a message')

    await visit.press('switch-to-31337')
    await expect.poll(() => visit.fact('switch-result')).toBe('Switched to Anvil One')
    expect(await visit.fact('network-caip-id')).toBe(ONE)
    await visit.press('viem-sign')
    expect(await wallet.asks('Sign a message').getByTestId('request-details-chain').textContent()).toBe('Anvil One')
    await wallet.approve('Sign a message')
  })

  it('refuses to connect, then to sign, and the page says so each time', async () => {
    const [visit, wallet] = await windows()
    await scan(visit, wallet)
    await wallet.refuse(CONNECT)
    await visit.modal.says('Request declined')
    await visit.modal.tryAgain.click()
    await wallet.scan(await pictureOf(visit))
    await wallet.approve(CONNECT)
    await connected(visit)
    const answer = ask(visit, 'personal_sign', ['0x68656c6c6f', account.address])
    await wallet.refuse('Sign a message')
    expect(await answer).toEqual({ code: 4001 })
  })

  it('ends the connection, and hears that the page ends the next one', async () => {
    const [visit, wallet] = await together()
    await wallet.disconnect()
    await disconnected(visit)
    await expect.poll(() => wallet.sessions.count()).toBe(0)

    await wallet.page.getByTestId('wc-connect').click()
    await scan(visit, wallet)
    await wallet.approve(CONNECT)
    await connected(visit)
    await wallet.showSessions()
    await wallet.sessions.waitFor()
    await visit.press('disconnect')
    await wallet.notice('has ended the connection').waitFor()
    expect(await wallet.sessions.count()).toBe(0)
  })
})
