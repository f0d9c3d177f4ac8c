//! Social login from the modal to the chain: the widget, the real frame, the server, its vault, and services that are `oidc-provider`.

import type { Page } from 'playwright-core'
import { type Hex, parseEther, verifyMessage } from 'viem'
import { describe, expect, it } from 'vitest'
import { violations } from './pages/axe.ts'
import { frameOf } from './pages/frame.ts'
import { connected, disconnected, open } from './pages/journey.ts'
import { pay } from './pages/payment.ts'
import { call, heard, listening, OURS, refusal } from './pages/provider.ts'
import { fill, openSend, review } from './pages/send.ts'
import { addressOf, answer, choose, cutOff, focus, logIn, logInAt, refuseAt, userOf } from './pages/social.ts'
import { clickInFrame } from './pages/still.ts'
import { useWorld } from './use-world.ts'
import { COMPANY } from './world/identity.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld({ windows: true, wallet: true, socials: true })

const RECEIVER = '0x00000000000000000000000000000000000c0e02'

const approve = (visit: Visit): Promise<void> =>
  clickInFrame(frameOf(visit.page).getByRole('button', { name: 'Approve' }))

describe('a visitor without a wallet', () => {
  it('spec_1_2_and_7_17_and_7_18_logs_in_at_a_service_signs_sends_and_is_back_after_a_reload', async () => {
    const visit = await world.newcomer()
    const own = await logIn(visit, 'google', 'ada')
    expect(own).toMatch(/^0x[\da-fA-F]{40}$/)
    expect(await userOf(visit)).toMatchObject({ username: 'ada', authProvider: 'google', accountType: 'eoa' })

    const signed = visit.page.evaluate(`window.kit.getWalletProvider().request({
      method: 'personal_sign', params: ['0x68656c6c6f', '${own}']
    })`)
    await frameOf(visit.page).getByText('hello').waitFor()
    await approve(visit)
    expect(await verifyMessage({ address: own, message: 'hello', signature: (await signed) as Hex })).toBe(true)
    await visit.modal.gone()

    await world.one.request('anvil_setBalance', [own, `0x${parseEther('3').toString(16)}`])
    await visit.page.reload()
    await connected(visit)
    expect(await addressOf(visit)).toBe(own)
    expect(await userOf(visit)).toMatchObject({ authProvider: 'google' })
    await openSend(visit)
    await fill(visit, '1.25', RECEIVER)
    await review(visit)
    await visit.modal.sendButton.click()
    await frameOf(visit.page).getByText('1.25').first().waitFor()
    await approve(visit)
    await expect.poll(() => world.one.balance(RECEIVER)).toBe(parseEther('1.25'))
    await visit.modal.confirmed()

    await visit.page.evaluate(() => window.kit?.disconnect())
    await disconnected(visit)
    const stored = await visit.page.evaluate(() => Object.keys(localStorage))
    expect(stored.filter((key) => /connected_social|SOCIAL_USERNAME/.test(key))).toEqual([])
  })

  it('spec_3_31_and_3_11_the_page_knows_the_service_and_the_name_and_stores_no_secret', async () => {
    const visit = await world.newcomer()
    await logIn(visit, 'google', 'bea')
    const stored = await visit.page.evaluate(() => ({ ...localStorage, ...sessionStorage }))
    expect(stored).toMatchObject({
      '@portico/connected_social': 'google',
      '@appkit-wallet/SOCIAL_USERNAME': 'bea',
      '@appkit-wallet/EMAIL_LOGIN_USED_KEY': 'true'
    })
    expect(JSON.stringify(stored)).not.toMatch(/access|refresh|mnemonic|private/i)
    expect(await visit.page.evaluate(() => window.kit?.getWalletInfo()?.social)).toBe('google')
  })

  it.each(['apple', 'github', 'facebook', 'x', 'discord'])('spec_1_2_logs_in_at_%s_and_sends', async (service) => {
    const visit = await world.newcomer()
    await visit.page.evaluate((service) => window.kit?.updateFeatures({ socials: [service] as never }), service)
    await logIn(visit, service, 'cleo')
    const { username, authProvider } = (await userOf(visit)) ?? {}
    // Apple's ID tokens have no name.
    expect([username, authProvider]).toEqual([service === 'apple' ? 'cleo@example.org' : 'cleo', service])

    await pay(visit, world.one)
  })

  it('two services know two persons, also of one name', async () => {
    const [one, two] = [await world.newcomer(), await world.newcomer()]
    const first = await logIn(one, 'discord', 'clara')
    expect(await logIn(two, 'google', 'clara')).not.toBe(first)
  })

  it('has the same account in another browser, once they approve it there', async () => {
    const [one, two] = [await world.newcomer(), await world.newcomer()]
    const first = await logIn(one, 'google', 'dora')
    await open(two)
    const declined = await choose(two, 'google')
    await logInAt(declined, 'dora')
    await declined.getByRole('heading', { name: 'Approve this login?' }).waitFor()
    expect(await violations(declined)).toEqual([])
    await answer(declined, 'Decline')
    await two.modal.says('Login was canceled')
    expect(await addressOf(two)).toBeUndefined()
    const [popup] = await Promise.all([
      two.page.waitForEvent('popup'),
      two.modal.part('w3m-connecting-social-retry').click()
    ])
    // The service remembers its visitor.
    await answer(popup, 'Approve')
    await connected(two)
    expect(await addressOf(two)).toBe(first)
  })
})

describe('a wallet button of the page', () => {
  it('logs in at its service without a choice in the modal', async () => {
    const visit = await world.newcomer('&developers')
    const button = visit.page.getByTestId('wallet-button-hook')
    const [popup] = await Promise.all([visit.page.waitForEvent('popup'), button.click()])
    await logInAt(popup, 'fay')
    await connected(visit)
    expect(await userOf(visit)).toMatchObject({ username: 'fay', authProvider: 'google' })
    await expect.poll(() => visit.page.getByTestId('wallet-button-result').textContent()).toBe(await addressOf(visit))
    expect(await button.isDisabled()).toBe(true)
  })

  it('opens the place for an address of an email', async () => {
    const visit = await world.newcomer('&developers')
    await visit.page.getByTestId('apkt-wallet-button-email').click()
    await visit.modal.part('email-input').waitFor()
  })
})

describe('a host that leads the login itself', () => {
  /** Opens the service's page in a window, as the guide says, and ends the login with what the wallet's page hands over. */
  const led = `(async () => {
    const opened = window.open('', '_blank', 'popup')
    const { uri } = await ${OURS}.getSocialRedirectUri({ provider: 'google' })
    opened.location.replace(uri)
    const handed = await new Promise((resolve) => window.addEventListener('message', ({ source, origin, data }) => {
      if (source === opened && origin === wallet && data?.type === '@portico/social') resolve(data.uri)
    }))
    opened.close()
    return ${OURS}.connectSocial({ uri: handed })
  })()`

  it('spec_7_17_and_7_18_logs_its_visitor_in_at_a_service_by_the_providers_methods', async () => {
    const visit = await world.newcomer()
    await listening(visit)
    const [popup] = await Promise.all([
      visit.page.waitForEvent('popup'),
      visit.page.evaluate(`{ const wallet = '${world.wallet}'; window.led = ${led} }; undefined`)
    ])
    await logInAt(popup, 'emil')
    const address = await visit.page.evaluate('window.led.then(({ address }) => address)')
    await connected(visit)
    expect(await addressOf(visit)).toBe(address)
    expect(await userOf(visit)).toMatchObject({ username: 'emil', authProvider: 'google' })
    expect(await call(visit, 'getUsername')).toBe('emil')
    expect((await heard(visit, 'SocialConnected', 'Connect')).map(([event]) => event)).toEqual([
      'SocialConnected',
      'Connect'
    ])
    expect(await visit.page.evaluate('window.kit.isOpen()')).toBe(false)
  })

  it('is refused a service that the server lacks, and an address that is none of the wallet', async () => {
    const visit = await world.newcomer()
    await listening(visit)
    const params = 'Check the parameters of this request'
    expect(await refusal(visit, 'getSocialRedirectUri', { provider: 'myspace' })).toBe(params)
    const uri = 'https://evil.example/wallet/callback/google?code=a'
    expect(await refusal(visit, 'connectSocial', { uri })).toBe(params)
    const code = (letters: string) =>
      refusal(visit, 'connectSocial', { uri: `${world.wallet}/wallet/callback/google?code=${letters}` })
    expect(await code('a')).toBe('An error occurred')
    expect(await code('a'.repeat(43))).toBe('This login has ended. Start again.')
    await disconnected(visit)
  })
})

describe('the services in the modal', () => {
  it('spec_2_14_and_6_7_are_those_that_the_server_has_in_the_usual_order_or_that_of_the_host', async () => {
    const visit = await world.newcomer()
    await open(visit)
    await visit.modal.part('social-selector-google').waitFor()
    const shown = () =>
      visit.modal
        .part('w3m-social-login-widget')
        .getByRole('button')
        .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('data-testid')))
    const named = (...words: string[]) => words.map((word) => `social-selector-${word}`)
    expect(await shown()).toEqual(named('google', 'x', 'discord', 'farcaster', 'more'))
    await visit.page.evaluate(() => window.kit?.updateFeatures({ socials: ['github', 'farcaster', 'google'] }))
    await expect.poll(shown).toEqual(named('github', 'farcaster', 'google'))
    expect(await violations(visit.page)).toEqual([])
  })

  it('any OpenID provider is offered under its own name where the host lists it', async () => {
    const visit = await world.newcomer()
    await visit.page.evaluate(() => window.kit?.updateFeatures({ socials: ['openid', 'github'] }))
    await open(visit)
    await visit.modal.part('social-selector-openid').waitFor()
    expect(await visit.modal.button(`Continue with ${COMPANY}`).count()).toBe(1)
    await logInAt(await choose(visit, 'openid'), 'emil')
    await connected(visit)
    expect(await userOf(visit)).toMatchObject({ authProvider: 'openid', username: 'emil' })
  })
})

describe('a login that fails', () => {
  it('says so when the visitor closes the window, and can be tried again', async () => {
    const visit = await world.newcomer()
    await open(visit)
    const popup = await choose(visit, 'google')
    await popup.getByPlaceholder('Enter any login').waitFor()
    expect(await visit.modal.title.textContent()).toBe('Google')
    await popup.close()
    await visit.modal.says('The window was closed. Try again.')
    expect(await violations(visit.page)).toEqual([])
    const [again] = await Promise.all([
      visit.page.waitForEvent('popup'),
      visit.modal.part('w3m-connecting-social-retry').click()
    ])
    await logInAt(again, 'finn')
    await connected(visit)
  })

  it('says so when the visitor refuses at the service', async () => {
    const visit = await world.newcomer()
    await open(visit)
    await refuseAt(await choose(visit, 'google'))
    await visit.modal.says('Login was canceled')
    await visit.modal.backButton.click()
    await visit.modal.part('social-selector-google').waitFor()
  })

  it('leaving the view closes the window', async () => {
    const visit = await world.newcomer()
    await open(visit)
    const popup = await choose(visit, 'google')
    await popup.getByPlaceholder('Enter any login').waitFor()
    const closed = popup.waitForEvent('close')
    await visit.modal.backButton.click()
    await closed
    await visit.modal.part('social-selector-google').waitFor()
  })
})

describe('at a service that cuts its window off from the page', () => {
  async function waiting(): Promise<{ visit: Visit; popup: Page }> {
    const visit = await world.newcomer()
    await visit.page.evaluate(() => window.kit?.updateFeatures({ socials: ['x'] as never }))
    await cutOff(visit, world.identities?.origin('x'))
    await open(visit)
    await focus(visit.page, false)
    return { visit, popup: await choose(visit, 'x') }
  }

  it('the page where the login began goes on, and the window closes', async () => {
    const { visit, popup } = await waiting()
    const closed = popup.waitForEvent('close')
    await logInAt(popup, 'zoe')
    await closed
    await visit.modal.gone()
    await connected(visit)
    expect(await userOf(visit)).toMatchObject({ authProvider: 'x', username: 'zoe' })
    const stored = await visit.page.evaluate(() => localStorage.getItem('@portico/pairing'))
    expect(stored).toBeNull()
  })

  it('a visitor who gave up on the first page is logged in by the page in the window', async () => {
    const { visit, popup } = await waiting()
    await popup.getByPlaceholder('Enter any login').waitFor()
    await focus(visit.page, true)
    await visit.modal.says('The window was closed')
    await logInAt(popup, 'yves')
    await popup.waitForURL((url) => url.origin === world.origin)
    await popup.waitForFunction(() => window.kit?.getAddress())
    expect(new URL(popup.url()).searchParams.has('portico-login')).toBe(false)
  })
})

describe('where no window opens', () => {
  it('the service takes the place of the page, and sends the visitor back to it', async () => {
    const visit = await world.visit(`/?login=${encodeURIComponent(world.wallet)}&testkit=off&relays=off`, {
      alone: true,
      before: () => {
        const { open } = window
        window.open = (url, target, features) => (target === '_self' ? open.call(window, url, target, features) : null)
      }
    })
    await open(visit)
    await visit.modal.part('social-selector-google').click()
    await logInAt(visit.page, 'gwen')
    await visit.page.waitForURL((url) => url.origin === world.origin)
    await connected(visit)
    expect(await userOf(visit)).toMatchObject({ authProvider: 'google', username: 'gwen' })
    expect(new URL(visit.page.url()).searchParams.has('portico-login')).toBe(false)
    await visit.modal.gone()
  })
})
