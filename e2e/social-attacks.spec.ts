//! Attacks on logins at services. They have a server of their own, because all visitors come from one address, which may begin few logins.

import { describe, expect, it } from 'vitest'
import { connected, disconnected, open } from './pages/journey.ts'
import { addressOf, answer, choose, logIn, logInAt } from './pages/social.ts'
import { useWorld } from './use-world.ts'

const world = useWorld({ windows: true, wallet: true, socials: true })

describe('an attacker', () => {
  it('whose page sends the visitor to the service for his own login gets no code unless the visitor approves it', async () => {
    const [victim, thief] = [await world.newcomer(), await world.newcomer()]
    await logIn(victim, 'google', 'kate')
    await open(thief)
    const began = thief.page.context().waitForEvent('request', (request) => request.url().includes('&state='))
    await choose(thief, 'google')
    const uri = (await began).url()
    await victim.page.evaluate(() => {
      const heard: unknown[] = []
      Object.assign(window, { heard })
      window.addEventListener('message', ({ data }) => {
        if (data?.type === '@portico/social') heard.push(data.uri)
      })
    })
    const [popup] = await Promise.all([
      victim.page.waitForEvent('popup'),
      victim.page.evaluate((url) => void window.open(url), uri)
    ])
    // The service remembers its visitor, so the window asks for a click on the wallet's page alone.
    await popup.getByRole('heading', { name: 'Approve this login?' }).waitFor()
    expect(await victim.page.evaluate('window.heard')).toEqual([])
    await answer(popup, 'Decline')
    await expect.poll(() => victim.page.evaluate('window.heard')).toEqual([`${world.wallet}/wallet/callback/google`])
  })

  it('who sends a return twice gets nothing: the state is good for one return', async () => {
    const visit = await world.newcomer()
    await open(visit)
    const popup = await choose(visit, 'google')
    const returns: string[] = []
    popup.on('request', (request) => {
      if (request.url().includes('/wallet/callback/google?')) returns.push(request.url())
    })
    await logInAt(popup, 'hugo')
    await connected(visit)
    expect(returns).toHaveLength(1)
    const again = await fetch(returns[0] as string)
    expect(again.status).toBe(410)
    expect(await again.text()).not.toContain('data-code')
  })

  it('whose page posts the message of the return is not heard', async () => {
    const visit = await world.newcomer()
    await open(visit)
    const popup = await choose(visit, 'google')
    await popup.getByPlaceholder('Enter any login').waitFor()
    const uri = `${world.wallet}/wallet/callback/google?code=${'A'.repeat(43)}`
    // From the page itself, and from the service's own page in the window.
    await visit.page.evaluate((uri) => window.postMessage({ type: '@portico/social', uri }, '*'), uri)
    await popup.evaluate((uri) => window.opener.postMessage({ type: '@portico/social', uri }, '*'), uri)
    expect(await visit.modal.title.textContent()).toBe('Google')
    await logInAt(popup, 'ida')
    await connected(visit)
  })

  it('who gets the code of another visitor cannot use it: it is good with the device that began', async () => {
    const [victim, thief] = [await world.newcomer(), await world.newcomer()]
    let stolen = ''
    await victim.page.exposeFunction('steal', (uri: string) => {
      stolen = uri
    })
    // A script of the victim's page takes the message before the widget hears it.
    await victim.page.evaluate(`window.addEventListener('message', (event) => {
      if (event.data?.type !== '@portico/social') return
      event.stopImmediatePropagation()
      window.steal(event.data.uri)
    }, true)`)
    await open(victim)
    await logInAt(await choose(victim, 'google'), 'jane')
    await expect.poll(() => stolen).toContain('/wallet/callback/google?code=')

    await open(thief)
    const popup = await choose(thief, 'google')
    await popup.getByPlaceholder('Enter any login').waitFor()
    // A page of the wallet's origin in the thief's own window.
    await popup.evaluate((url) => {
      location.href = url
    }, `${world.wallet}/wallet.css`)
    await popup.waitForURL(`${world.wallet}/wallet.css`)
    await popup.evaluate((uri) => window.opener.postMessage({ type: '@portico/social', uri }, '*'), stolen)
    await thief.modal.says('This login has ended. Start again.')
    expect(await addressOf(thief)).toBeUndefined()
  })

  it('who makes a visitor return with a code of his own logs nobody in', async () => {
    const visit = await world.newcomer()
    const uri = `${world.wallet}/wallet/callback/google?code=${'B'.repeat(43)}`
    await visit.page.evaluate(() => localStorage.setItem('@portico/pairing', `{"until":${Date.now() + 60_000}}`))
    await visit.page.goto(`${visit.page.url()}&portico-login=${encodeURIComponent(uri)}`)
    await visit.modal.says('This login has ended. Start again.')
    await disconnected(visit)
  })
})
