import { describe, expect, it } from 'vitest'
import { violations } from './pages/axe.ts'
import { openAccount } from './pages/journey.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()

/** Goes from a fresh page to the introduction of names, with an account that has none: accounts with a name do not see it. */
async function invited(account = 0): Promise<Visit> {
  const visit = await world.comeBack()
  if (account > 0) await visit.page.evaluate(`window.demoWallets[0].controls.switchAccount(${account})`)
  await openAccount(visit)
  await expect.poll(() => visit.modal.card.textContent()).toContain('Choose a name')
  await visit.modal.part('account-choose-name-button').click()
  await visit.modal.part('name-begin').waitFor()
  return visit
}

async function choosing(account = 0): Promise<Visit> {
  const visit = await invited(account)
  await visit.modal.part('name-begin').click()
  await expect.poll(() => visit.modal.title.textContent()).toBe('Choose Name')
  return visit
}

/** Registers a name, once the server has confirmed that it is free: only then is the wallet's request known. */
async function register(visit: Visit, name: string): Promise<void> {
  await visit.modal.part('name-input').fill(name)
  await visit.modal.part('account-name-suggestion').first().waitFor()
  await visit.modal.part('name-register').click()
}

describe('a name of one’s own', () => {
  it('spec_2_2_begins_with_what_it_is_for_and_goes_back_to_the_account', async () => {
    const visit = await invited()
    await visit.modal.says('A name for your account')
    await visit.modal.says('alice.portico.eth')
    expect(await violations(visit.page)).toEqual([])
    await visit.modal.part('name-begin').click()
    expect(await violations(visit.page)).toEqual([])
    await visit.modal.part('header-back').click()
    await visit.modal.part('name-begin').waitFor()
    await visit.modal.part('header-back').click()
    await visit.modal.part('account-choose-name-button').waitFor()
  })

  it('spec_5_1_what_is_no_name_is_said_beside_the_field_and_nobody_is_asked_about_it', async () => {
    const visit = await choosing()
    for (const [name, words] of [
      ['ali_ce', 'Use only letters a to z, digits and hyphens'],
      ['älice', 'Use only letters a to z, digits and hyphens'],
      ['alice.eth', 'Use only letters a to z, digits and hyphens'],
      ['-alice', "Names can't start or end with a hyphen"],
      ['ab--cd', "Names can't have hyphens as both 3rd and 4th character"],
      ['a'.repeat(64), 'Use at most 63 characters']
    ] as const) {
      await visit.modal.part('name-input').fill(name)
      await visit.modal.says(words)
    }
    await visit.modal.part('name-input').fill('abc')
    // While the visitor may still be typing, only the button says it; it is an error on submit.
    const said = visit.modal.part('wui-ens-input').getByText('Use at least 4 characters')
    expect(await said.count()).toBe(0)
    await visit.modal.part('name-register').click()
    await said.waitFor()
    expect(visit.requests.filter((url) => url.includes('/suggestions/'))).toEqual([])
  })

  it('of a suggestion that is too long the parent is cut before the name', async () => {
    const visit = await choosing()
    await visit.modal.part('name-input').fill('walkerdesk')
    const suggestions = visit.modal.part('account-name-suggestion')
    await suggestions.first().waitFor()
    const cut = (part: string) =>
      suggestions
        .locator(part)
        .evaluateAll((parts) => parts.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length)
    expect(await cut('b')).toBe(0)
    expect(await cut('small')).toBeGreaterThan(0)
  })

  it('a long name stays within the card, and so does what stands beside it', async () => {
    const visit = await choosing()
    await visit.modal.part('name-input').fill('abcdefghijklmnopqrstuvwxyz0123456789')
    await visit.modal.part('account-name-suggestion').first().waitFor()
    const beyond = await visit.modal.card.evaluate((card) => {
      const { left, right } = card.getBoundingClientRect()
      // Elements in `.clip` are cut off with an ellipsis, so their boxes may be wider than the card.
      return [...card.querySelectorAll('form *:not(.clip *)')]
        .map((element) => element.getBoundingClientRect())
        .filter((box) => box.width > 0 && (box.left < left || box.right > right)).length
    })
    expect(beyond).toBe(0)
  })

  it('spec_4_29_a_visitor_who_refuses_to_sign_is_at_the_form_with_the_name_and_is_told', async () => {
    const visit = await choosing()
    await register(visit, 'refuser')
    await visit.wallet.refuse('sign')
    await visit.modal.snacks('Signature declined')
    expect(await visit.modal.title.textContent()).toBe('Choose Name')
    expect(await visit.modal.part('name-input').inputValue()).toBe('refuser')
    const known = await visit.page.request.get(`${world.origin}/v1/profile/account/refuser.portico.eth?projectId=demo`)
    expect(known.status()).toBe(404)
  })

  it('spec_4_29_a_name_is_chosen_signed_for_and_shown_at_once_in_the_account_in_receive_and_after_a_reload', async () => {
    const visit = await choosing()
    await visit.modal.part('name-input').fill('Visitor')
    // The name is one word to a screen reader.
    const own = visit.modal.button('visitor.portico.eth Available')
    await own.and(visit.modal.part('account-name-suggestion').first()).waitFor()
    await visit.modal.part('name-register').click()
    await visit.wallet.approve('sign')
    await visit.modal.says('visitor.portico.eth')
    await visit.modal.part('name-done').click()
    const shown = (one: Visit) => expect.poll(() => one.modal.part('account-name').textContent())
    await shown(visit).toBe('visitor.portico.eth')
    expect(await visit.modal.part('account-choose-name-button').count()).toBe(0)
    await visit.modal.part('wallet-features-receive-button').click()
    await visit.modal.says('visitor.portico.eth')
    await visit.page.reload()
    await openAccount(visit)
    await shown(visit).toBe('visitor.portico.eth')
    const answer = await visit.page.request.get(`${world.origin}/v1/profile/account/visitor.portico.eth?projectId=demo`)
    expect(await answer.json()).toMatchObject({ name: 'visitor.portico.eth' })
  })

  it('a name that somebody has is said to be taken, and another like it is one press away', async () => {
    const visit = await choosing(2)
    await visit.modal.part('name-input').fill('visitor')
    await visit.modal.says('Taken. Try another name.')
    const other = visit.modal.part('account-name-suggestion').filter({ hasText: 'Available' }).first()
    await other.click()
    await expect.poll(() => visit.modal.part('name-input').inputValue()).not.toBe('visitor')
    expect(await visit.modal.card.getByText('Taken. Try another name.').count()).toBe(0)
  })

  it('spec_8_23_a_server_that_does_not_register_is_told_and_can_be_asked_again', async () => {
    const visit = await choosing(2)
    const post = (url: URL) => url.pathname === '/v1/profile/account'
    await visit.context.route(post, (route) => route.fulfill({ status: 503, body: '' }))
    await register(visit, 'unlucky')
    await visit.wallet.approve('sign')
    await visit.modal.says('Error registering name unlucky.portico.eth')
    expect(await visit.modal.title.textContent()).toBe('Choose Name')
    await visit.context.unroute(post)
    await visit.modal.part('name-register').click()
    await visit.wallet.approve('sign')
    await visit.modal.says('The name is yours')
  })
})
