import { expect, it } from 'vitest'
import { violations } from './pages/axe.ts'
import { open, openAccount } from './pages/journey.ts'
import { fill, openSend } from './pages/send.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()

type Go = (visit: Visit) => Promise<unknown>

const FRESH: readonly [name: string, path: string, go: Go][] = [
  ['the page itself', '', async () => {}],
  ['Connect', '', open],
  ['Connect with no wallet', 'testkit=off', open],
  ['an alert', 'projectId=', (visit) => open(visit).then(() => visit.modal.warns('Project ID Not Configured'))]
]

const CONNECTED: readonly [name: string, path: string, go: Go][] = [
  ['the page in its light dress', 'theme=light', async () => {}],
  ['Account', '', (visit) => openAccount(visit).then(() => visit.modal.says(/\d ETH/))],
  [
    'WalletSend with faults',
    '',
    async (visit) => {
      await openSend(visit)
      await fill(visit, '1e9', '0x12')
      await visit.modal.says('Not a valid address or name')
    }
  ]
]

// gallery.spec.ts checks every view in every state, theme and direction; this file checks some of them within a host's page.
it.each(FRESH)('axe finds nothing in %s', async (_, path, go) => {
  const visit = await world.visit(`/?${path}`, { colorScheme: 'dark' })
  await go(visit)
  expect(await violations(visit.page)).toEqual([])
})

it.each(CONNECTED)('axe finds nothing in %s', async (_, path, go) => {
  const visit = await world.comeBack(`/?${path}`, { colorScheme: path === 'theme=light' ? 'light' : 'dark' })
  await go(visit)
  expect(await violations(visit.page)).toEqual([])
})
