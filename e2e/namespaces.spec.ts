//! Accounts of several namespaces at once, on the way of a visitor: from the account to a second wallet, back and forth, and out again.

import { afterAll, describe, expect, it } from 'vitest'
import { ACCOUNT, connect, connected, disconnected, openAccount } from './pages/journey.ts'
import { useWorld } from './use-world.ts'
import { type Solana, startSolana } from './world/solana.ts'
import type { Visit } from './world/visit.ts'

const SOLANA_WALLET = 'solana:demo solana wallet'
const POLKADOT_WALLET = 'polkadot:demo polkadot wallet'

/** File of the other namespaces' accounts. */
const OWN_FILE = /\/Others[^/]*\.js$/

let solana: Solana

const world = useWorld(async () => {
  solana = await startSolana()
  return { solana }
})

afterAll(() => solana?.stop())

const page = (more = '') =>
  world.visit(`/?relays=off&solana=${solana.id.slice('solana:'.length)}${more}`, { alone: true })

const caipAddress = ({ page }: Visit) => page.evaluate<string | undefined>('window.kit.getCaipAddress()')

const solanaAddress = ({ page }: Visit) => page.evaluate(() => window.demoSolana?.controls.addresses[0] as string)

const isConnected = ({ page }: Visit, namespace: string) =>
  page.evaluate<boolean>(`window.kit.getAccount('${namespace}')?.isConnected === true`)

/** Connects the wallet of another namespace from the open account view, and opens the account view again. */
async function connectFurther(visit: Visit, namespace: string, wallet: string): Promise<void> {
  await visit.modal.part(`account-connect-${namespace}`).click()
  await visit.modal.wallet(wallet).click()
  await visit.wallet.approve('connect')
  await visit.modal.gone()
  await openAccount(visit)
}

describe('accounts of several namespaces', () => {
  it('spec_4_6_are_connected_switched_and_disconnected_from_the_account_one_by_one_and_all_at_once', async () => {
    const visit = await page()
    await connect(visit)
    await openAccount(visit)
    const { modal } = visit
    expect(await modal.part('disconnect-all-button').count()).toBe(0)

    // Only wallets of the wanted namespace are offered, and the way back leads to the account.
    await modal.button('Connect Solana').click()
    await modal.wallet(SOLANA_WALLET).waitFor()
    expect(await modal.wallet().count()).toBe(0)
    await modal.backButton.click()
    await modal.part('disconnect-button').waitFor()
    expect(await caipAddress(visit)).toBe(`eip155:31337:${ACCOUNT}`)
    await connectFurther(visit, 'solana', SOLANA_WALLET)
    const onSolana = `${solana.id}:${await solanaAddress(visit)}`
    expect(await caipAddress(visit)).toBe(onSolana)

    // The keyboard switches back and forth in one place.
    await modal.part('account-switch-eip155').focus()
    await visit.page.keyboard.press('Enter')
    await modal.part('account-switch-solana').waitFor()
    expect(await caipAddress(visit)).toBe(`eip155:31337:${ACCOUNT}`)
    await modal.says('0xf3…b92266')
    await visit.page.keyboard.press('Enter')
    await modal.part('account-switch-eip155').waitFor()
    expect(await caipAddress(visit)).toBe(onSolana)
    expect(await visit.wallet.asks('switchChain').count()).toBe(0)

    // After one is disconnected the view goes on with the other, also after a reload.
    await modal.part('disconnect-button').click()
    await modal.part('account-connect-solana').waitFor()
    expect([await caipAddress(visit), await isConnected(visit, 'solana')]).toEqual([`eip155:31337:${ACCOUNT}`, false])
    expect(await visit.page.evaluate(() => window.demoSolana?.standard.accounts.length)).toBe(0)
    expect(await modal.part('disconnect-all-button').count()).toBe(0)
    await visit.page.reload()
    await connected(visit)
    expect([await caipAddress(visit), await isConnected(visit, 'solana')]).toEqual([`eip155:31337:${ACCOUNT}`, false])

    await openAccount(visit)
    await connectFurther(visit, 'solana', SOLANA_WALLET)
    await modal.part('disconnect-all-button').click()
    await modal.gone()
    await disconnected(visit)
    expect([await isConnected(visit, 'eip155'), await isConnected(visit, 'solana')]).toEqual([false, false])
    expect(await visit.page.evaluate(() => window.demoSolana?.standard.accounts.length)).toBe(0)
    await visit.page.reload()
    await disconnected(visit)
  })

  it('spec_2_3_each_have_a_button_of_the_page_that_shows_and_opens_the_account_of_its_namespace', async () => {
    const visit = await page()
    await connect(visit)
    await visit.page.evaluate(() => {
      for (const namespace of ['eip155', 'solana']) {
        const button = document.createElement('appkit-button')
        button.setAttribute('namespace', namespace)
        document.body.append(button)
      }
    })
    const button = (part: string, namespace: string) => visit.page.getByTestId(`${part}-button-${namespace}`)
    await button('account', 'eip155').waitFor()
    await button('connect', 'solana').click()
    await visit.modal.wallet(SOLANA_WALLET).click()
    await visit.wallet.approve('connect')
    await visit.modal.gone()
    const address = await solanaAddress(visit)
    const shown = await button('account', 'solana').textContent()
    expect(shown).toContain(`${address.slice(0, 4)}…${address.slice(-6)}`)
    expect(await button('account', 'eip155').textContent()).toContain('0xf3…b92266')

    // Each opens its own account, whichever is in use.
    await button('account', 'eip155').click()
    await visit.modal.part('account-switch-solana').waitFor()
    expect(await caipAddress(visit)).toBe(`eip155:31337:${ACCOUNT}`)
    await visit.modal.close()
    await button('account', 'solana').click()
    await visit.modal.part('account-switch-eip155').waitFor()
    expect(await caipAddress(visit)).toBe(`${solana.id}:${address}`)
  })

  it('spec_4_15_are_all_back_after_a_reload_with_the_one_that_was_in_use', async () => {
    const visit = await page('&polkadot=polkadot')
    await connect(visit)
    await openAccount(visit)
    await connectFurther(visit, 'solana', SOLANA_WALLET)
    await connectFurther(visit, 'polkadot', POLKADOT_WALLET)
    await visit.modal.says("Sending and swapping aren't available on this network. Use your wallet.")
    await visit.modal.part('account-switch-solana').click()
    await visit.modal.part('account-switch-polkadot').waitFor()
    const onSolana = `${solana.id}:${await solanaAddress(visit)}`
    expect(await caipAddress(visit)).toBe(onSolana)
    await visit.page.reload()
    await connected(visit)
    await openAccount(visit)
    await visit.modal.part('account-switch-eip155').waitFor()
    await visit.modal.part('account-switch-polkadot').waitFor()
    expect(await caipAddress(visit)).toBe(onSolana)
    expect(await visit.wallet.asks('connect').count()).toBe(0)
    expect(visit.requests.some((url) => OWN_FILE.test(url))).toBe(true)
  })

  it('leave no trace on a page of EVM chains alone', async () => {
    const visit = await world.comeBack('/?relays=off')
    await openAccount(visit)
    await visit.modal.balance.waitFor()
    expect(await visit.modal.card.locator('.beside').count()).toBe(0)
    expect(visit.requests.filter((url) => OWN_FILE.test(url))).toEqual([])
  })
})
