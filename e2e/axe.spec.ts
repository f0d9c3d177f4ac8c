import { expect, it } from 'vitest'
import { violations } from './pages/axe.ts'
import { connect, open, openAccount } from './pages/journey.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()

const VIEWS: readonly [name: string, path: string, go: (visit: Visit) => Promise<void>][] = [
  ['the page itself', '', async () => {}],
  ['Connect', '', open],
  ['Connect with no wallet', 'testkit=off', open],
  [
    'ConnectingExternal while waiting',
    'wallet=silent',
    async (visit) => {
      await open(visit)
      await visit.modal.wallet().click()
      await visit.modal.says('Continue in Demo Wallet')
    }
  ],
  [
    'ConnectingExternal after a refusal',
    'wallet=refuse',
    async (visit) => {
      await open(visit)
      await visit.modal.wallet().click()
      await visit.modal.says('Request declined')
    }
  ],
  [
    'ConnectingExternal after a failure',
    'wallet=throws:string',
    async (visit) => {
      await open(visit)
      await visit.modal.wallet().click()
      await visit.modal.says('Could not connect')
    }
  ],
  [
    'Account',
    '',
    async (visit) => {
      await connect(visit)
      await openAccount(visit)
      await visit.modal.says(/\d ETH/)
    }
  ],
  [
    'Account, Activity',
    '',
    async (visit) => {
      await connect(visit)
      await openAccount(visit)
      await visit.modal.card.getByRole('tab', { name: 'Activity' }).click()
      await visit.modal.card.getByRole('tabpanel').getByRole('listitem').first().waitFor()
    }
  ],
  [
    'Networks',
    '',
    async (visit) => {
      await connect(visit)
      await visit.modal.networkButton.click()
      await visit.modal.network('Anvil Two').waitFor()
    }
  ],
  [
    'SwitchNetwork',
    'wallet=silent@wallet_switchEthereumChain',
    async (visit) => {
      await connect(visit)
      await visit.modal.networkButton.click()
      await visit.modal.network('Anvil Two').click()
      await visit.modal.says('Approve in Demo Wallet')
    }
  ],
  [
    'UnsupportedChain',
    'networks=31337',
    async (visit) => {
      await connect(visit)
      await visit.control((controls) => controls.switchChain(31338))
      await visit.modal.network('Anvil One').waitFor()
    }
  ],
  [
    'WalletSend with faults',
    '',
    async (visit) => {
      await connect(visit)
      await openAccount(visit)
      await visit.modal.part('wallet-features-send-button').click()
      await visit.modal.amount.fill('1e9')
      await visit.modal.receiver.fill('0x12')
      await visit.modal.says('This is not an address of this network')
    }
  ],
  [
    'WalletSendPreview',
    '',
    async (visit) => {
      await connect(visit)
      await openAccount(visit)
      await visit.modal.part('wallet-features-send-button').click()
      await visit.modal.amount.fill('0.1')
      await visit.modal.receiver.fill('0x00000000000000000000000000000000000c0d02')
      await visit.modal.reviewButton.click()
      await visit.modal.says('Network fee')
    }
  ],
  [
    'an alert',
    'projectId=',
    async (visit) => {
      await open(visit)
      await visit.modal.warns('Project ID Not Configured')
    }
  ],
  [
    'WhatIsAWallet',
    '',
    async (visit) => {
      await visit.page.evaluate(() =>
        (window as unknown as { kit: { open(options: object): Promise<unknown> } }).kit.open({ view: 'WhatIsAWallet' })
      )
      await visit.modal.says('You stay in charge')
    }
  ]
]

// Every view in both themes and directions is looked at in gallery.spec.ts; here each stands in a host's page.
for (const [name, path, go] of VIEWS) {
  it(`axe finds nothing in ${name}`, async () => {
    const visit = await world.visit(`/?${path}`, { colorScheme: 'dark' })
    await go(visit)
    expect(await violations(visit.page)).toEqual([])
  })
}

it('axe finds nothing in the page in its light dress', async () => {
  const visit = await world.visit('/?theme=light', { colorScheme: 'light' })
  await connect(visit)
  expect(await violations(visit.page)).toEqual([])
})
