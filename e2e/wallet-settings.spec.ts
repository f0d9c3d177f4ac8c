//! Keys that the visitor owns: export, recovery kit, passkey, devices, as a visitor goes through the settings of the embedded wallet.

import { ed25519 } from '@noble/curves/ed25519'
import { secp256k1 } from '@noble/curves/secp256k1'
import { hmac } from '@noble/hashes/hmac'
import { ripemd160 } from '@noble/hashes/ripemd160'
import { sha256 } from '@noble/hashes/sha256'
import { sha512 } from '@noble/hashes/sha512'
import { base58, bech32, createBase58check } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { Wallet as EthersWallet, HDNodeWallet } from 'ethers'
import type { Hex } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { authenticatorOf } from './pages/authenticator.ts'
import { frameOf } from './pages/frame.ts'
import { connected, disconnected, open } from './pages/journey.ts'
import { addressOf, cooled, logIn, logInAs, rested, signOut } from './pages/login.ts'
import { pay } from './pages/payment.ts'
import { SettingsPage } from './pages/settings.ts'
import { clickInFrame } from './pages/still.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

/** Seconds between two mails to an address: these tests log in again. Tests of the server hold the pause of the contract. */
const PAUSE = 1

const world = useWorld({ windows: true, wallet: 'localhost', mailPause: PAUSE })

const settingsOf = (visit: Visit): SettingsPage => new SettingsPage(visit, world.wallet)

/** Takes from the browser what it stored for the wallet, as browsers do with pages that are rarely used. */
async function evict(visit: Visit): Promise<void> {
  const debug = await visit.context.newCDPSession(visit.page)
  await debug.send('Storage.clearDataForOrigin', { origin: world.wallet, storageTypes: 'all' })
  await debug.send('Storage.clearDataForOrigin', { origin: world.origin, storageTypes: 'all' })
  // Detached with the page: earlier, it would take a virtual authenticator with it.
  await visit.page.reload()
}

const makes = (visit: Visit): number => visit.requests.filter((url) => url.endsWith('/wallet/v1/wallet')).length

/** Key at a path of hardened children (SLIP-10), by `@noble`. */
function slip10(seed: Uint8Array, path: readonly number[]): Uint8Array {
  let node = hmac(sha512, new TextEncoder().encode('ed25519 seed'), seed)
  for (const index of path) {
    const child = new Uint8Array(37)
    child.set(node.subarray(0, 32), 1)
    new DataView(child.buffer).setUint32(33, 0x80000000 + index)
    node = hmac(sha512, node.subarray(32), child)
  }
  return node.subarray(0, 32)
}

const segwit = (key: Uint8Array): string => bech32.encode('bc', [0, ...bech32.toWords(ripemd160(sha256(key)))])

describe('the keys', () => {
  it('are shown after a confirmation while a button is held, and other libraries import them to the same addresses', async () => {
    const visit = await world.newcomer()
    const email = 'export@example.org'
    const address = await logIn(visit, world.wallet, email)
    const settings = settingsOf(visit)
    await settings.open()
    // Escape in the frame closes the modal, as in each of its views.
    await settings.frame.getByRole('button', { name: 'Show recovery phrase and keys' }).press('Escape')
    await visit.modal.gone()
    await settings.open()
    await settings.press('Show recovery phrase and keys')
    await settings.confirmByMail(email)
    await settings.frame.getByRole('heading', { name: 'Recovery phrase and keys', exact: true }).waitFor()

    const words = await settings.held('Recovery phrase')
    expect(words.split(' ')).toHaveLength(24)
    const seed = mnemonicToSeedSync(words)
    const evm = (await settings.held('Ethereum private key')) as Hex
    expect(mnemonicToAccount(words).address).toBe(address)
    expect(privateKeyToAccount(evm).address).toBe(address)
    expect(HDNodeWallet.fromPhrase(words).address).toBe(address)
    expect(new EthersWallet(evm).address).toBe(address)

    const shown = (title: string) => settings.frame.locator(`[data-secret="${title}"] bdi`).first().textContent()
    const solana = base58.decode(await settings.held('Solana private key'))
    expect(solana.slice(0, 32)).toEqual(slip10(seed, [44, 501, 0, 0]))
    expect(base58.encode(ed25519.getPublicKey(solana.slice(0, 32)))).toBe(await shown('Solana private key'))
    expect(base58.encode(solana.slice(32))).toBe(await shown('Solana private key'))

    const imported = createBase58check(sha256).decode(await settings.held('Bitcoin private key'))
    expect([imported[0], imported[33], imported.length]).toEqual([0x80, 1, 34])
    const bitcoin = HDKey.fromMasterSeed(seed).derive("m/84'/0'/0'/0/0")
    expect(imported.slice(1, 33)).toEqual(bitcoin.privateKey)
    expect(segwit(secp256k1.getPublicKey(imported.slice(1, 33), true))).toBe(await shown('Bitcoin private key'))

    // The page got none of it, and leaving the view hides it.
    expect(await visit.page.content()).not.toContain(words.slice(0, 20))
    await settings.press('Done')
    await settings.frame.getByText('Wallet settings').waitFor()
    expect(await settings.frame.locator('[data-secret]').count()).toBe(0)
  })
})

describe('the recovery kit', () => {
  it('opens the wallet after a login where recovery by login was removed, and the account says who can open it', async () => {
    const visit = await world.newcomer()
    const email = 'kit@example.org'
    const address = await logIn(visit, world.wallet, email)
    const settings = settingsOf(visit)
    await settings.open()
    await settings.frame.getByText('The operator of this site could open it too').waitFor()
    const code = await settings.makeKit(email)
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}$/)
    await settings.removeRecovery()
    await settings.press('Done')
    await visit.modal.part('disconnect-button').waitFor()

    // Signing out takes the slot of this device.
    await signOut(visit)
    await rested(visit)
    await cooled(world.wallet, email, PAUSE)
    await logInAs(visit, world.wallet, email)
    await settings.frame.getByText('Open your wallet').waitFor()
    expect(await addressOf(visit)).toBeUndefined()
    const field = settings.frame.getByLabel('Recovery kit code')
    await field.fill(`${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}`)
    await settings.press('Open wallet')
    await settings.frame.getByText('This code has a typing error').waitFor()
    await field.fill(code.toLowerCase().replaceAll('-', ' '))
    await settings.press('Open wallet')
    await connected(visit)
    expect(await addressOf(visit)).toBe(address)
    expect(makes(visit)).toBe(1)
  })

  it('is what a new browser needs, which the first one then signs out', async () => {
    const first = await world.newcomer()
    const email = 'browser@example.org'
    const address = await logIn(first, world.wallet, email)
    await settingsOf(first).open()
    const code = await settingsOf(first).makeKit(email)
    await settingsOf(first).removeRecovery()
    await cooled(world.wallet, email, PAUSE)
    const second = await world.newcomer()
    await logInAs(second, world.wallet, email)
    const settings = settingsOf(second)
    await settings.frame.getByText('Open your wallet').waitFor()
    await settings.frame.getByLabel('Recovery kit code').fill(code)
    await settings.press('Open wallet')
    await connected(second)
    expect(await addressOf(second)).toBe(address)
    expect(makes(second)).toBe(0)

    // Both browsers are listed, and the second one is signed out from the first.
    await settingsOf(first).press('Done')
    await first.modal.close()
    await settingsOf(first).open()
    await clickInFrame(settingsOf(first).frame.getByRole('button', { name: /^Remove: Chrome/ }))
    await settingsOf(first).confirmByMail(email)
    await expect
      .poll(() =>
        settingsOf(first)
          .frame.getByRole('button', { name: /^Remove: Chrome/ })
          .count()
      )
      .toBe(0)
    await second.page.reload()
    await disconnected(second)
    await settingsOf(first).press('Log out everywhere')
    await settingsOf(first).press('Log out')
    await disconnected(first)
  })
})

describe('a wallet', () => {
  it('is frozen by one click, and unfrozen after a confirmation', async () => {
    const visit = await world.newcomer()
    const email = 'freeze@example.org'
    const address = await logIn(visit, world.wallet, email)
    const settings = settingsOf(visit)
    await settings.open()
    await settings.press('Freeze wallet')
    await settings.frame.getByText('This wallet is frozen').waitFor()
    expect(await settings.button('Show recovery phrase and keys').count()).toBe(0)
    await settings.press('Done')
    await visit.modal.close()
    await refused(visit)
    await settings.open()
    await settings.press('Unfreeze wallet')
    await settings.confirmByMail(email)
    await settings.button('Freeze wallet').waitFor()
    await settings.press('Done')
    expect(await addressOf(visit)).toBe(address)
    await pay(visit, world.one)
  })

  /** Asks for a signature: the approval says where the wallet is unfrozen, and takes no click. */
  async function refused(visit: Visit): Promise<void> {
    const own = await addressOf(visit)
    const signed = visit.page.evaluate(`window.kit.getWalletProvider()
      .request({ method: 'personal_sign', params: ['0x68656c6c6f', '${own}'] })
      .then(() => 'signed', (error) => error.code)`)
    const frame = frameOf(visit.page)
    await frame.getByText('Your wallet is frozen. To unfreeze it, decline and open "Wallet settings"').waitFor()
    expect(await frame.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true)
    await clickInFrame(frame.getByRole('button', { name: 'Decline' }))
    expect(await signed).toBe(4001)
  }
})

describe('a passkey', () => {
  it('confirms in the place of a mail, logs in without an address, and opens the wallet in a browser that forgot everything', async () => {
    const visit = await world.newcomer()
    const email = 'passkey@example.org'
    await authenticatorOf(visit)
    const address = await logIn(visit, world.wallet, email)
    const settings = settingsOf(visit)
    await settings.open()
    await settings.press('Add a passkey')
    await settings.confirmByMail(email)
    await settings.press('Create passkey')
    await settings.button('Remove: Passkey').waitFor()
    await settings.removeRecovery()

    await settings.press('Show recovery phrase and keys')
    await settings.press('Confirm with passkey')
    await settings.frame.getByRole('heading', { name: 'Recovery phrase and keys', exact: true }).waitFor()
    expect(mnemonicToAccount(await settings.held('Recovery phrase')).address).toBe(address)

    await evict(visit)
    await open(visit)
    await visit.modal.part('passkey-login').click()
    await settings.press('Use passkey')
    await connected(visit)
    expect(await addressOf(visit)).toBe(address)
    await pay(visit, world.one)
    await signOut(visit)

    await logInAs(visit, world.wallet, email)
    await settings.frame.getByText('Open your wallet').waitFor()
    await settings.press('Use passkey')
    await connected(visit)
    expect(await addressOf(visit)).toBe(address)
    expect(makes(visit)).toBe(1)
  })
})

describe('a visitor without a wallet', () => {
  it('spec_1_2_makes_one_with_a_passkey_which_logs_in_where_the_browser_forgot_everything', async () => {
    const visit = await world.newcomer()
    const settings = settingsOf(visit)
    await authenticatorOf(visit)
    await open(visit)
    await visit.modal.part('passkey-login').click()
    await settings.press('Create a new wallet')
    await connected(visit)
    const address = await addressOf(visit)
    await pay(visit, world.one)
    await settings.open()
    // The passkey is the only login, so it cannot be removed.
    await settings.frame.getByText('Passkey', { exact: true }).waitFor()
    expect(await settings.frame.getByRole('button', { name: 'Remove: Passkey', exact: true }).count()).toBe(0)
    await settings.press('Done')

    await evict(visit)
    await open(visit)
    await visit.modal.part('passkey-login').click()
    await settings.press('Use passkey')
    await connected(visit)
    expect(await addressOf(visit)).toBe(address)
    expect(makes(visit)).toBe(1)
  })
})

describe('storage of the browser', () => {
  it('that was evicted leads to the same wallet by a login, and to no new one', async () => {
    const visit = await world.newcomer()
    const email = 'evicted@example.org'
    const address = await logIn(visit, world.wallet, email)
    await cooled(world.wallet, email, PAUSE)
    await evict(visit)
    await disconnected(visit)
    expect(await logIn(visit, world.wallet, email)).toBe(address)
    expect(makes(visit)).toBe(1)
  })

  it('that a private window denies is told with what to do', async () => {
    const visit = await world.newcomer()
    // The same page under another name: its frame is of another site then.
    await visit.page.goto(visit.page.url().replace('//localhost', '//127.0.0.1'))
    await open(visit)
    await visit.modal.part('email-input').fill('denied@example.org')
    await visit.modal.part('email-continue').click()
    await visit.page.getByText("Your browser blocks this wallet's storage", { exact: false }).waitFor()
  })
})
