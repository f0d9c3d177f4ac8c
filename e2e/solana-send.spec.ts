//! Payments on Solana, as a visitor makes them: from the account's Send button to a transaction that a real node confirmed.

import { ed25519 } from '@noble/curves/ed25519'
import { base58 } from '@scure/base'
import type { Route } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { connect, connected, openAccount } from './pages/journey.ts'
import { askToSend, chooseToken, confirmAndSign, fill, inState, openSend, pay, review } from './pages/send.ts'
import { useWorld } from './use-world.ts'
import { giveToken, type Solana, startSolana, USDC } from './world/solana.ts'
import type { Visit } from './world/visit.ts'

const WALLET = 'solana:demo solana wallet'

let solana: Solana

const world = useWorld(async () => {
  solana = await startSolana()
  return { solana }
})

afterAll(() => solana?.stop())

const page = () => world.visit(`/?relays=off&solana=${solana.id.slice('solana:'.length)}`, { alone: true })

const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

/** Connects the wallet, whose account has two coins, and 100 of a token. */
async function connectFunded(visit: Visit): Promise<string> {
  const [address = ''] = await visit.page.evaluate(() => window.demoSolana?.controls.addresses ?? [])
  await solana.rpc('requestAirdrop', address, 2_000_000_000)
  await giveToken(solana, address)
  await connect(visit, WALLET)
  return address
}

/** Address that nobody used before. */
const stranger = (byte: number) => base58.encode(ed25519.getPublicKey(new Uint8Array(32).fill(byte)))

const balanceOf = async (address: string) => (await solana.rpc<{ value: number }>('getBalance', address)).value

/** Amounts of the token in the token accounts of an owner. */
async function tokensOf(owner: string, mint = USDC): Promise<string[]> {
  type Told = { value: { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }[] }
  const told = await solana.rpc<Told>('getTokenAccountsByOwner', owner, { mint }, { encoding: 'jsonParsed' })
  return told.value.map(({ account }) => account.data.parsed.info.tokenAmount.amount)
}

const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

/** Puts an account of Token-2022 on the chain: its base, and an extension. */
async function putExtended(address: string, base: Buffer, kind: number, extension: [number, Buffer]): Promise<void> {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(extension[0], 0)
  head.writeUInt16LE(extension[1].length, 2)
  const whole = Buffer.concat([base, Buffer.alloc(165 - base.length), Buffer.of(kind), head, extension[1]])
  await solana.rpc('surfnet_setAccount', address, {
    lamports: 5_000_000,
    owner: TOKEN_2022,
    data: whole.toString('hex')
  })
}

/** Makes a token of two decimals with an extension, of which `owner` has 1,000. Returns its address. */
async function makeExtended(owner: string, byte: number, extension: [number, Buffer], held: [number, Buffer]) {
  const address = stranger(byte)
  const mint = Buffer.alloc(82)
  mint.writeBigUInt64LE(100_000n, 36)
  mint.set([2, 1], 44)
  await putExtended(address, mint, 1, extension)
  const account = Buffer.concat([base58.decode(address), base58.decode(owner), Buffer.alloc(101)])
  account.writeBigUInt64LE(100_000n, 64)
  account[108] = 1
  await putExtended(stranger(byte + 1), account, 2, held)
  return address
}

/** Fee of one percent, at most 50 tokens, in every epoch. */
function percent(): [number, Buffer] {
  const fee = Buffer.alloc(18)
  fee.writeBigUInt64LE(5_000n, 8)
  fee.writeUInt16LE(100, 16)
  return [1, Buffer.concat([Buffer.alloc(72), fee, fee])]
}

describe('a payment on Solana', () => {
  it('spec_1_4_coins_go_from_the_send_button_to_a_confirmed_transaction', async () => {
    const visit = await page()
    const from = await connectFunded(visit)
    const receiver = stranger(71)
    await openSend(visit)
    await fill(visit, '0.5', receiver)
    await review(visit)
    await visit.modal.says(receiver)
    await confirmAndSign(visit)
    await inState(visit, 'confirmed')
    expect(await balanceOf(receiver)).toBe(500_000_000)
    // The fee of a signature, and less than a fifth of it for the units.
    expect(await balanceOf(from)).toBeGreaterThan(1_499_994_000)
    await visit.page.reload()
    await connected(visit)
    await openSend(visit)
    await visit.modal.part('send-suggestion').getByText(receiver).click()
    await visit.modal.amount.fill('0.1')
    await review(visit)
    expect(await visit.modal.part('send-warning-firstSeen').count()).toBe(0)
  })

  it('a payment is confirmed by a notification of the server, through a socket that is closed then', async () => {
    const visit = await page()
    await connectFunded(visit)
    const receiver = stranger(78)
    const sockets: { url: string; heard: string[]; closed: boolean }[] = []
    visit.page.on('websocket', (socket) => {
      const seen = { url: socket.url(), heard: [] as string[], closed: false }
      sockets.push(seen)
      socket.on('framereceived', ({ payload }) => seen.heard.push(String(payload)))
      socket.on('close', () => {
        seen.closed = true
      })
    })
    await openSend(visit)
    await pay(visit, '0.1', receiver)
    await inState(visit, 'confirmed')
    expect(await balanceOf(receiver)).toBe(100_000_000)
    await expect.poll(() => sockets.map(({ closed }) => closed)).toEqual([true])
    expect(sockets[0]?.url).toContain(`/v1/ws?chainId=${solana.id}&projectId=`)
    expect(sockets[0]?.heard.some((text) => text.includes('"signatureNotification"'))).toBe(true)
  })

  it('spec_1_4_a_token_reaches_somebody_who_never_had_it_with_the_deposit_told_before', async () => {
    const visit = await page()
    const from = await connectFunded(visit)
    const receiver = stranger(72)
    await openSend(visit)
    await chooseToken(visit, 'USDC', 'USD Coin')
    await fill(visit, '40.5', receiver)
    await review(visit)
    await visit.modal.says('Deposit')
    await visit.modal.says('0.00203928 SOL')
    await confirmAndSign(visit)
    await inState(visit, 'confirmed')
    expect(await tokensOf(receiver)).toEqual(['40500000'])
    expect(await tokensOf(from)).toEqual(['59500000'])
  })

  it('a receiver that is no wallet is refused in plain words', async () => {
    const visit = await page()
    const from = await connectFunded(visit)
    await openSend(visit)
    for (const [receiver, words] of [
      ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 'This address is for another network. Paste one of this network.'],
      [stranger(73).slice(0, 30), 'This address is too short or too long'],
      [from, 'This is your own address'],
      [USDC, 'This is the address of a token'],
      [TOKEN, 'This is a program, not a wallet']
    ] as const) {
      await fill(visit, '0.5', receiver)
      await visit.modal.says(words)
    }
  })

  it('a refusal in the wallet sends nothing, and the same button tries again', async () => {
    const visit = await page()
    const from = await connectFunded(visit)
    const receiver = stranger(74)
    const before = await balanceOf(from)
    await openSend(visit)
    await fill(visit, '0.25', receiver)
    await review(visit)
    await visit.modal.sendButton.click()
    await visit.wallet.refuse('transaction')
    await visit.modal.says('You declined the transaction. Nothing was sent.')
    expect(await balanceOf(from)).toBe(before)
    await visit.modal.tryAgain.click()
    await visit.wallet.approve('transaction')
    await inState(visit, 'confirmed')
    expect(await balanceOf(receiver)).toBe(250_000_000)
    await visit.modal.part('send-done').click()
    const left = `${Math.floor((await balanceOf(from)) / 1e6) / 1e3} SOL`
    await expect.poll(() => visit.modal.accountButton.textContent()).toContain(left)
  })

  it('a payment that no node has before a reload is on its way after it, is sent again and paid once', async () => {
    const visit = await page()
    await connectFunded(visit)
    const receiver = stranger(77)
    const lose = (route: Route) =>
      route.request().postData()?.includes('"sendTransaction"') ? route.abort() : route.fallback()
    await visit.page.route('**', lose)
    await openSend(visit)
    await pay(visit, '0.75', receiver)
    await inState(visit, 'pending')
    await visit.page.reload()
    await connected(visit)
    await openAccount(visit)
    await visit.modal.card.getByRole('tab', { name: 'Activity' }).click()
    const pending = visit.modal.part('activity-pending')
    await pending.filter({ hasText: '−0.75 SOL' }).waitFor()
    expect(await balanceOf(receiver)).toBe(0)
    await visit.page.unroute('**', lose)
    await pending.waitFor({ state: 'detached' })
    expect(await balanceOf(receiver)).toBe(750_000_000)
    await visit.page.reload()
    await connected(visit)
    await openAccount(visit)
    await visit.modal.card.getByRole('tab', { name: 'Activity' }).click()
    expect(await pending.count()).toBe(0)
    expect(await balanceOf(receiver)).toBe(750_000_000)
  })

  it('a token of Token-2022 takes its fee, which is told before, and the host gets the signature', async () => {
    const visit = await page()
    const from = await connectFunded(visit)
    const mint = await makeExtended(from, 81, percent(), [2, Buffer.alloc(8)])
    const receiver = stranger(75)
    const told = askToSend(visit, { amount: '200', to: receiver, assetAddress: mint, namespace: 'solana' })
    await visit.modal.says('Token fee')
    await review(visit)
    for (const words of ['Recipient gets', /^2 /, /^198 /]) await visit.modal.says(words)
    await confirmAndSign(visit)
    await inState(visit, 'confirmed')
    expect(await told).toEqual({ hash: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/) })
    expect(await tokensOf(receiver, mint)).toEqual(['19800'])
    expect(await tokensOf(from, mint)).toEqual(['80000'])
  })

  it('a token with a transfer hook is refused before the wallet is asked', async () => {
    const visit = await page()
    const from = await connectFunded(visit)
    const hook: [number, Buffer] = [14, Buffer.alloc(64, 1)]
    const mint = await makeExtended(from, 83, hook, [15, Buffer.alloc(1)])
    void askToSend(visit, { amount: '2', to: stranger(76), assetAddress: mint, namespace: 'solana' })
    await visit.modal.says("This token runs its issuer's program with each transfer. It can't be sent here.")
    await visit.modal.reviewButton.click()
    expect(await visit.modal.title.textContent()).toBe('Send')
    expect(await visit.wallet.asks('transaction').count()).toBe(0)
  })
})
