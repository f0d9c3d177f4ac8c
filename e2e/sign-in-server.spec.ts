//! Sign-in at the server, from the click to a back end that verifies the session by the server's published keys.

import { createRemoteJWKSet, jwtVerify } from 'jose'
import { expect, it } from 'vitest'
import { ACCOUNT, connected, open } from './pages/journey.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()

const sign = ({ modal }: Visit) => modal.part('w3m-connecting-siwe-sign')

/** Token that the page would send to its back end. */
const token = ({ page }: Visit): Promise<string | undefined> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('@portico/siwx') ?? '[]')[0]?.token)

async function signIn(visit: Visit): Promise<void> {
  await sign(visit).and(visit.page.locator(':not([aria-busy])')).click()
  await visit.wallet.approve('sign')
  await visit.modal.gone()
}

it('spec_4_25_and_4_26_a_visitor_signs_in_at_the_server_and_a_back_end_verifies_the_session', async () => {
  const visit = await world.visit('/?siwx=server')
  await open(visit)
  await visit.modal.wallet().click()
  await visit.wallet.approve('connect')
  await expect.poll(() => visit.modal.title.textContent()).toBe('Sign In')
  await signIn(visit)
  await connected(visit)
  const { origin, host } = new URL(visit.page.url())
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', origin))
  const verified = await jwtVerify((await token(visit)) ?? '', keys, { audience: 'demo', algorithms: ['ES256'] })
  expect(verified.payload).toMatchObject({ sub: `eip155:31337:${ACCOUNT}`, domain: host, uri: origin })
  // After a reload the server knows the session, so the visitor is not asked again.
  const asked = visit.page.waitForResponse((response) => response.url().includes('/auth/v1/me'))
  await visit.page.reload()
  expect((await asked).status()).toBe(200)
  await connected(visit)
  // The session ends elsewhere: after the next reload the visitor is asked to sign in, once.
  const authorization = `Bearer ${await token(visit)}`
  const ended = await fetch(`${origin}/auth/v1/sign-out?projectId=demo`, {
    method: 'POST',
    headers: { authorization, origin }
  })
  expect(ended.status).toBe(204)
  await visit.page.reload()
  await expect.poll(() => visit.modal.title.textContent()).toBe('Sign In')
  expect(await token(visit)).toBeUndefined()
  await signIn(visit)
  expect(await token(visit)).toBeDefined()
})
