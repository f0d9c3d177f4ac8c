import { type Hex, verifyMessage } from 'viem'
import { describe, expect, it } from 'vitest'
import { ACCOUNT } from './pages/journey.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()

const MESSAGE = 'Portico says hello.'
/** Receiver of the demo page's transactions. */
const RECEIVER = '0x00000000000000000000000000000000000c0dE5'

function said(visit: Visit): Promise<string> {
  return visit.fact('library-result')
}

for (const library of ['viem', 'ethers']) {
  describe(`${library} over the provider that the widget hands out`, () => {
    it('signs a message', async () => {
      const visit = await world.comeBack()
      await visit.press(`${library}-sign`)
      await visit.wallet.approve('sign')
      await expect.poll(() => said(visit)).toMatch(/^valid signature 0x/)
      const signature = (await said(visit)).split(' ').at(-1) as Hex
      expect(await verifyMessage({ address: ACCOUNT as Hex, message: MESSAGE, signature })).toBe(true)
    })

    it('sends a transaction', async () => {
      const before = await world.one.balance(RECEIVER)
      const visit = await world.comeBack()
      await visit.press(`${library}-send`)
      await visit.wallet.approve('send')
      await expect.poll(() => said(visit)).toMatch(/^sent 0x[0-9a-f]{64}$/)
      await expect.poll(async () => (await world.one.balance(RECEIVER)) - before).toBe(10n ** 16n)
    })

    it('hears the refusal as the standard says it', async () => {
      const visit = await world.comeBack()
      await visit.press(`${library}-sign`)
      await visit.wallet.refuse('sign')
      await expect.poll(() => said(visit)).toMatch(/reject|denied|refus/i)
    })

    it('goes on after a reload', async () => {
      const visit = await world.comeBack()
      await visit.page.reload()
      await expect.poll(() => visit.fact('account-status')).toBe('connected')
      await visit.press(`${library}-sign`)
      await visit.wallet.approve('sign')
      await expect.poll(() => said(visit)).toMatch(/^valid signature 0x/)
    })
  })
}
