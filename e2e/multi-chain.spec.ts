//! A browser wallet of several namespaces, connected by the host itself.

import { afterAll, expect, it } from 'vitest'
import { disconnected, open } from './pages/journey.ts'
import { useWorld } from './use-world.ts'
import { type Solana, startSolana } from './world/solana.ts'

let solana: Solana

const world = useWorld(async () => {
  solana = await startSolana()
  return { solana }
})

afterAll(() => solana?.stop())

it('spec_3_9_is_a_connector_of_type_multi_chain_for_a_host_that_connects_it_itself', async () => {
  const reference = solana.id.slice('solana:'.length)
  const visit = await world.visit(`/?relays=off&solana=${reference}&solanaWallet=Demo Wallet`, { alone: true })
  const told = () =>
    visit.page.evaluate(() => {
      const one = window.kit?.getConnectors().find(({ name }) => name === 'Demo Wallet')
      return [one?.type, ...(one?.connectors ?? []).map(({ chain, type }) => `${chain} ${type}`)]
    })
  await open(visit)
  await visit.page.keyboard.press('Escape')
  await visit.modal.gone()
  await expect.poll(told).toEqual(['MULTI_CHAIN', 'eip155 ANNOUNCED', 'solana ANNOUNCED'])
  /** Calls `connect` with the wallet's connector, or with that of a namespace; resolves with the account's chain. */
  const connectAs = (chain?: string) =>
    visit.page.evaluate(async (chain) => {
      const whole = window.kit?.getConnectors().find(({ name }) => name === 'Demo Wallet')
      const connector = chain === undefined ? whole : whole?.connectors.find((one) => one.chain === chain)
      if (!connector) throw new Error('There is no connector')
      return (await window.kit?.connect({ connector }))?.caipNetworkId
    }, chain)

  const alone = connectAs('solana')
  await visit.wallet.approve('connect')
  expect([await alone, await visit.page.evaluate(() => window.kit?.isOpen())]).toEqual([solana.id, false])
  await visit.page.evaluate(() => window.kit?.disconnect())
  await disconnected(visit)

  const chosen = connectAs()
  await expect.poll(() => visit.modal.title.textContent()).toBe('Select Chain')
  await visit.modal.part('multi-chain-eip155').click()
  await visit.wallet.approve('connect')
  expect(await chosen).toMatch(/^eip155:/)
  await visit.modal.gone()
})
