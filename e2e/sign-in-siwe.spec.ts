//! Sign-in through a `siweConfig`, at a back end of the host that verifies by the npm package `siwe` and has one session.

import { parseSiweMessage } from 'viem/siwe'
import { describe, expect, it } from 'vitest'
import { BackEnd } from './pages/back-end.ts'
import { ACCOUNT, connected, disconnected, open, SECOND_ACCOUNT } from './pages/journey.ts'
import { ONE, scan, shown, TWO, usePhones } from './pages/remote.ts'
import { account, granted } from './peers/world/granted.ts'
import { useWorld } from './use-world.ts'
import type { Visit, VisitOptions } from './world/visit.ts'

const world = useWorld()
const phone = usePhones(world)

interface Page {
  readonly visit: Visit
  readonly host: BackEnd
}

/** Visit to a page with these settings of its `siweConfig`. */
async function page(settings = '', options: VisitOptions = {}): Promise<Page> {
  const host = new BackEnd()
  const visit = await world.visit(`/?siwe=${settings}`, {
    ...options,
    alone: true,
    prepare: async (page) => {
      await host.serve(page)
      await page.addInitScript(() => {
        const told: unknown[] = []
        Object.assign(window, { told })
        addEventListener('signedIn', (event) => told.push((event as CustomEvent).detail))
        addEventListener('signedOut', () => told.push('out'))
      })
    }
  })
  return { visit, host }
}

/** Sessions that `onSignIn` got, and 'out' for each `onSignOut`, since the page was loaded. */
const told = ({ page }: Visit): Promise<unknown[]> =>
  page.evaluate(() => (window as unknown as { told: unknown[] }).told)

const sign = ({ modal, page }: Visit) => modal.part('w3m-connecting-siwe-sign').and(page.locator(':not([aria-busy])'))
const cancel = ({ modal }: Visit) => modal.part('w3m-connecting-siwe-cancel')

async function asked(visit: Visit): Promise<void> {
  await expect.poll(() => visit.modal.title.textContent()).toBe('Sign In')
  await sign(visit).waitFor()
}

async function connect(visit: Visit): Promise<void> {
  await open(visit)
  await visit.modal.wallet().click()
  await visit.wallet.approve('connect')
}

async function signIn(visit: Visit): Promise<void> {
  await asked(visit)
  await sign(visit).click()
  await visit.wallet.approve('sign')
  await visit.modal.gone()
}

async function signedIn(settings?: string, options?: VisitOptions): Promise<Page> {
  const found = await page(settings, options)
  await connect(found.visit)
  await signIn(found.visit)
  return found
}

async function useNetwork(visit: Visit, name: string): Promise<void> {
  await visit.modal.networkButton.click()
  await visit.modal.network(name).click()
  await visit.wallet.approve('switchChain')
}

const useAccount = (visit: Visit, index: number): Promise<void> =>
  index === 0 ? visit.control((wallet) => wallet.switchAccount(0)) : visit.control((wallet) => wallet.switchAccount(1))

const session = (address = ACCOUNT, chainId = 31337) => ({ address, chainId })

describe('a siweConfig', () => {
  it('spec_3_18_4_25_and_4_26_signs_the_message_of_its_callbacks_and_is_signed_in_after_a_reload', async () => {
    const { visit, host } = await page()
    await connect(visit)
    await asked(visit)
    await visit.modal.says('Sign in to see your orders.')
    expect([host.session, host.asked]).toEqual([null, ['nonce']])
    await signIn(visit)
    await connected(visit)
    const { origin, host: domain } = new URL(visit.page.url())
    expect(parseSiweMessage(host.messages[0] ?? '')).toMatchObject({
      ...session(),
      domain,
      uri: origin,
      version: '1',
      statement: 'Sign in to see your orders.'
    })
    expect([host.session, await told(visit)]).toEqual([session(), [session()]])
    await visit.page.reload()
    await connected(visit)
    await expect.poll(() => host.looks).toBe(3)
    await visit.modal.gone()
    expect(host.asked).toEqual(['nonce', 'verify'])
  })

  it('spec_4_27_8_8_and_8_10_a_visitor_who_declines_signs_another_nonce', async () => {
    const { visit, host } = await page()
    await connect(visit)
    await asked(visit)
    await sign(visit).click()
    await visit.modal.snacks('Authenticating...')
    await visit.wallet.refuse('sign')
    await visit.modal.snacks('Signature declined')
    await signIn(visit)
    expect([host.asked, await told(visit)]).toEqual([['nonce', 'nonce', 'verify'], [session()]])
  })

  it('spec_4_27_a_signature_that_the_back_end_refuses_is_no_session', async () => {
    const { visit, host } = await page()
    host.refuses = true
    await connect(visit)
    await asked(visit)
    await sign(visit).click()
    await visit.wallet.approve('sign')
    await visit.modal.says("The site didn't accept the signature")
    expect(await told(visit)).toEqual([])
    await visit.modal.closeButton.click()
    await visit.modal.card.and(visit.page.locator('.shaking')).waitFor()
    host.refuses = false
    await signIn(visit)
    expect(await told(visit)).toEqual([session()])
  })

  it('spec_2_25_and_4_28_that_is_required_cannot_be_closed_and_cancel_disconnects', async () => {
    const { visit, host } = await page()
    await connect(visit)
    await asked(visit)
    await visit.page.keyboard.press('Escape')
    await visit.modal.card.and(visit.page.locator('.shaking')).waitFor()
    await visit.page.reload()
    await asked(visit)
    await cancel(visit).click()
    await visit.modal.wallet().waitFor()
    await visit.modal.close()
    await disconnected(visit)
    expect([host.session, await told(visit)]).toEqual([null, []])
  })

  it('spec_4_28_and_2_2_that_is_not_required_can_be_cancelled_and_asked_for_by_the_older_name_of_its_view', async () => {
    const { visit } = await page('required:false')
    await connect(visit)
    await asked(visit)
    await cancel(visit).click()
    await visit.modal.gone()
    await connected(visit)
    await visit.page.evaluate(() => window.kit?.open({ view: 'ConnectingSiwe' as never }))
    await signIn(visit)
    expect(await told(visit)).toEqual([session()])
  })

  it('that is not enabled asks its back end for nothing', async () => {
    const { visit, host } = await page('enabled:false')
    await connect(visit)
    await visit.modal.gone()
    await connected(visit)
    expect([host.asked, host.looks]).toEqual([[], 0])
  })

  it('spec_8_7_whose_back_end_is_down_disconnects_the_visitor', async () => {
    const { visit, host } = await page()
    host.down = true
    await connect(visit)
    await visit.modal.snacks('A problem occurred while trying initialize authentication')
    await visit.modal.warns(/siwx.getSessions: The back end answered 503/)
    await disconnected(visit)
  })
})

describe('another network or account', () => {
  it('spec_4_25_ends_the_session_and_signs_in_for_itself_even_when_the_visitor_comes_back_at_once', async () => {
    const { visit, host } = await signedIn()
    await useNetwork(visit, 'Anvil Two')
    await asked(visit)
    expect([host.session, await told(visit)]).toEqual([null, [session(), 'out']])
    await signIn(visit)
    await useAccount(visit, 1)
    await signIn(visit)
    await useAccount(visit, 0)
    await signIn(visit)
    expect(host.session).toEqual(session(ACCOUNT, 31338))
    expect(await told(visit)).toEqual([
      session(),
      'out',
      session(ACCOUNT, 31338),
      'out',
      session(SECOND_ACCOUNT, 31338),
      'out',
      session(ACCOUNT, 31338)
    ])
    await visit.page.evaluate(() => window.kit?.disconnect())
    await disconnected(visit)
    await expect.poll(() => host.session).toBeNull()
    expect(host.asked.filter((path) => path === 'sign-out')).toHaveLength(4)
  })

  it('spec_4_25_is_still_signed_in_after_a_reload', async () => {
    const { visit, host } = await signedIn()
    await useNetwork(visit, 'Anvil Two')
    await signIn(visit)
    await useAccount(visit, 1)
    await signIn(visit)
    const looks = host.looks
    await visit.page.reload()
    await connected(visit)
    await expect.poll(() => host.looks).toBe(looks + 1)
    await visit.modal.gone()
    expect([host.session, await told(visit)]).toEqual([session(SECOND_ACCOUNT, 31338), []])
  })

  it('spec_4_28_leaves_no_session_to_go_back_to_when_the_visitor_cancels', async () => {
    const { visit, host } = await signedIn()
    await useNetwork(visit, 'Anvil Two')
    await asked(visit)
    await cancel(visit).click()
    await visit.modal.wallet().waitFor()
    await visit.modal.close()
    await disconnected(visit)
    expect([host.session, await told(visit)]).toEqual([null, [session(), 'out']])
  })

  it('changes nothing where the site says so', async () => {
    const { visit, host } = await signedIn('signOutOnNetworkChange:false,signOutOnAccountChange:false')
    await useNetwork(visit, 'Anvil Two')
    await expect.poll(() => visit.fact('network-caip-id')).toBe(TWO)
    await useAccount(visit, 1)
    await expect.poll(() => visit.fact('account-address')).toBe(SECOND_ACCOUNT)
    await expect.poll(() => host.looks).toBe(4)
    await visit.modal.gone()
    expect([host.session, await told(visit)]).toEqual([session(), [session()]])
  })
})

describe('the end of a session', () => {
  it('comes with the connection, unless the site says otherwise', async () => {
    for (const [settings, left] of [
      ['', null],
      ['signOutOnDisconnect:false', session()]
    ] as const) {
      const { visit, host } = await signedIn(settings)
      await visit.page.evaluate(() => window.kit?.disconnect())
      await disconnected(visit)
      await expect.poll(() => host.session).toEqual(left)
      await expect.poll(() => told(visit)).toEqual(left === null ? [session(), 'out'] : [session()])
      await connect(visit)
      if (left === null) await asked(visit)
      else await visit.modal.gone()
    }
  })

  it('spec_4_25_is_found_by_the_clock_while_the_page_is_open', async () => {
    const { visit, host } = await signedIn('sessionRefetchIntervalMs:90000', { clock: true })
    const before = host.looks
    await visit.page.clock.fastForward(90_000)
    await expect.poll(() => host.looks).toBe(before + 1)
    await visit.modal.gone()
    host.session = null
    await visit.page.clock.fastForward(90_000)
    await visit.modal.says("You're signed out. Sign again to continue.")
    await visit.modal.closeButton.click()
    await visit.modal.card.and(visit.page.locator('.shaking')).waitFor()
    await signIn(visit)
    expect(host.session).toEqual(session())
  })

  it('of another tab counts in this one', async () => {
    const { visit, host } = await page()
    await connect(visit)
    await asked(visit)
    const other = await visit.context.newPage()
    await other.goto(visit.page.url())
    await other.getByTestId('w3m-connecting-siwe-sign').and(other.locator(':not([aria-busy])')).click()
    await other
      .locator('[data-testid="demo-wallet-dialog"][data-kind="sign"]')
      .getByTestId('demo-wallet-approve')
      .click()
    await other.getByTestId('w3m-modal-card').waitFor({ state: 'hidden' })
    expect(host.session).toEqual(session())
    await visit.page.bringToFront()
    // Without a window manager both tabs are always visible: the page is told as the browser would.
    await visit.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await visit.modal.gone()
    await connected(visit)
  })
})

it('a nonce that is older than the site wants is replaced before it is signed', async () => {
  const { visit, host } = await page('nonceRefetchIntervalMs:20000', { clock: true })
  await connect(visit)
  await asked(visit)
  host.forgetNonces()
  await visit.page.clock.fastForward(20_000)
  await signIn(visit)
  expect([host.asked, host.session]).toEqual([['nonce', 'nonce', 'verify'], session()])
})

describe('a wallet over the relay', () => {
  it('spec_4_25_signs_in_with_its_connection_for_the_network_of_the_page', async () => {
    const { visit, host } = await page()
    const wallet = await phone(undefined, { signIn: true })
    await wallet.pair(await shown(visit))
    const { id } = await wallet.inbox.next('signInAsked')
    const methods = ['personal_sign', 'eth_sendTransaction']
    const signMessage = (message: string) => account.signMessage({ message })
    const { address } = account
    await wallet.signIn(id, { signs: [ONE, TWO], chains: [ONE, TWO], methods, address, sign: signMessage })
    await visit.modal.gone()
    await connected(visit)
    expect([host.session, await told(visit)]).toEqual([session(account.address), [session(account.address)]])
    expect(host.asked).toEqual(['nonce', 'verify'])
  })

  it('spec_4_25_and_4_26_that_knows_no_sign_in_is_asked_for_the_signature_of_the_message', async () => {
    const { visit, host } = await page()
    const wallet = await phone()
    const proposal = await scan(wallet, await shown(visit))
    const topic = await wallet.approve(proposal, granted(ONE, TWO))
    await asked(visit)
    await sign(visit).click()
    const { id, method, params, chainId } = await wallet.inbox.next('requested')
    const [text, signer] = params as [`0x${string}`, string]
    expect([method, chainId, signer]).toEqual(['personal_sign', ONE, account.address])
    await wallet.answer(topic, id, await account.signMessage({ message: { raw: text } }))
    await visit.modal.gone()
    expect(host.session).toEqual(session(account.address))
  })
})
