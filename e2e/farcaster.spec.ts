//! Login by Farcaster: the widget, the real frame, the server, its vault, the registries on a chain, and the app of `@farcaster/auth-client`.

import { type Hex, verifyMessage } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { beforeAll, describe, expect, it } from 'vitest'
import { violations } from './pages/axe.ts'
import { frameOf } from './pages/frame.ts'
import { connected, disconnected, open } from './pages/journey.ts'
import { pay } from './pages/payment.ts'
import { call, listening } from './pages/provider.ts'
import { clickInFrame } from './pages/still.ts'
import { useWorld } from './use-world.ts'
import { addKey, approveInApp, deployRegistries, type Relay, register } from './world/farcaster.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld({ wallet: true, socials: true })

beforeAll(() => deployRegistries(world.one.request))

function relay(): Relay {
  if (!world.relay) throw new Error('This world has no relay of Farcaster')
  return world.relay
}

/** Address of the code that the modal shows. */
async function shown(visit: Visit): Promise<string> {
  await open(visit)
  await visit.modal.part('social-selector-farcaster').click()
  const code = visit.modal.part('wui-qr-code')
  await expect.poll(() => code.getAttribute('uri'), { timeout: 15_000 }).toContain('channelToken')
  return String(await code.getAttribute('uri'))
}

/** A person with a key; `key` is their custody address. */
async function person(fid: number): Promise<{ key: Hex; fid: number; username: string }> {
  const key = generatePrivateKey()
  await register(world.one.request, privateKeyToAddress(key), fid)
  return { key, fid, username: `person-${fid}` }
}

const address = async (visit: Visit): Promise<Hex> => (await visit.page.evaluate(() => window.kit?.getAddress())) as Hex

describe('a visitor with Farcaster', () => {
  it('spec_1_2_and_7_19_and_7_20_scans_approves_is_connected_signs_and_is_back_after_a_reload', async () => {
    const visit = await world.newcomer()
    const link = await shown(visit)
    expect(await visit.modal.title.textContent()).toBe('Farcaster')
    expect(await violations(visit.page)).toEqual([])
    await approveInApp(relay(), link, await person(42))
    await connected(visit)
    await visit.modal.gone()
    const own = await address(visit)
    expect(await visit.page.evaluate(() => window.kit?.getAccount()?.embeddedWalletInfo)).toMatchObject({
      user: { username: 'person-42', authProvider: 'farcaster' }
    })
    const signed = visit.page.evaluate(`window.kit.getWalletProvider().request({
      method: 'personal_sign', params: ['0x68656c6c6f', '${own}']
    })`)
    await clickInFrame(frameOf(visit.page).getByRole('button', { name: 'Approve' }))
    expect(await verifyMessage({ address: own, message: 'hello', signature: (await signed) as Hex })).toBe(true)
    await visit.page.reload()
    await connected(visit)
    expect(await address(visit)).toBe(own)
    await pay(visit, world.one)
  })

  it('a key that the person added signs in too', async () => {
    const visit = await world.newcomer()
    const link = await shown(visit)
    const key = generatePrivateKey()
    await addKey(world.one.request, privateKeyToAddress(key))
    await approveInApp(relay(), link, { key, fid: 43, username: 'person-43' })
    await connected(visit)
  })

  it('spec_2_22_leaving_the_view_forgets_the_address_and_the_next_login_has_another', async () => {
    const visit = await world.newcomer()
    const first = await shown(visit)
    await visit.modal.backButton.click()
    await visit.modal.part('social-selector-farcaster').click()
    const code = visit.modal.part('wui-qr-code')
    await expect.poll(() => code.getAttribute('uri'), { timeout: 15_000 }).toContain('channelToken')
    const second = String(await code.getAttribute('uri'))
    expect(second).not.toBe(first)
    await approveInApp(relay(), second, await person(44))
    await connected(visit)
  })
})

describe('a host that leads the login itself', () => {
  it('spec_7_19_and_7_20_shows_the_address_and_waits_for_the_signature_by_the_providers_methods', async () => {
    const visit = await world.newcomer()
    await listening(visit)
    const { url } = await call<{ url: string }>(visit, 'getFarcasterUri')
    const signed = call(visit, 'connectFarcaster')
    await approveInApp(relay(), url, await person(46))
    expect(await signed).toEqual({ userName: 'person-46' })
    await connected(visit)
    expect(await call(visit, 'getUser')).toMatchObject({ address: await address(visit), provider: 'farcaster' })
    expect(await visit.page.evaluate('window.kit.isOpen()')).toBe(false)
  })
})

describe('an attacker', () => {
  it('who signs for a person whose key is another is refused', async () => {
    const visit = await world.newcomer()
    const link = await shown(visit)
    await person(50)
    await approveInApp(relay(), link, { key: generatePrivateKey(), fid: 50, username: 'person-50' })
    await visit.modal.says('This login has ended. Start again.')
    await disconnected(visit)
  })

  it('whose relay tells the signature of another login, or of another site, is refused', async () => {
    const [one, two] = [await world.newcomer(), await world.newcomer()]
    const [first, second] = [await shown(one), await shown(two)]
    const owner = await person(51)
    await approveInApp(relay(), first, { ...owner, domain: 'evil.example' })
    await one.modal.says('This login has ended. Start again.')

    const third = await world.newcomer()
    await approveInApp(relay(), await shown(third), owner)
    await connected(third)
    const earlier = relay().signed.at(-1)
    // The relay tells the earlier signature for the later channel.
    relay().forge = (signed) => ({ ...signed, message: earlier?.message, signature: earlier?.signature })
    await approveInApp(relay(), second, await person(52))
    await two.modal.says('This login has ended. Start again.')
    relay().forge = undefined
    await disconnected(two)
  })
})
