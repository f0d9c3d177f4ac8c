import { getAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { ACCOUNT, openAccount } from './pages/journey.ts'
import { askToSend, confirm, fill, openSend, review } from './pages/send.ts'
import { useWorld } from './use-world.ts'
import { contractOf } from './world/coins.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()

/** Address without an owner; each test has its own. */
const PAID = getAddress('0x7a11000000000000000000000000000000c0d021')
/** Address with the same beginning and end as `PAID`. */
const ALIKE = getAddress('0x7a11ffffffffffffffffffffffffffffffc0d021')
const NEW = getAddress('0x00000000000000000000000000000000000c0d22')
const STRANGER = getAddress('0x00000000000000000000000000000000000c0d23')
const ETHER = '0xde0b6b3a7640000'

const warning = ({ modal }: Visit, kind: string) => modal.part(`send-warning-${kind}`)

async function pay(visit: Visit, receiver: string): Promise<void> {
  await openSend(visit)
  await fill(visit, '0.01', receiver)
  await review(visit)
  await confirm(visit)
  await visit.modal.confirmed()
}

describe('a receiver', () => {
  it('that only looks like one who was paid is told, on a page that comes later too, and whatever it sent before', async () => {
    // Without the server's history, only the browser's storage has earlier transactions.
    const visit = await world.comeBack('/?without=history')
    await pay(visit, PAID)
    await world.one.request('anvil_setBalance', [ALIKE, ETHER])
    await world.one.request('anvil_impersonateAccount', [ALIKE])
    await world.one.request('eth_sendTransaction', [{ from: ALIKE, to: ACCOUNT, value: '0x1' }])
    await visit.page.reload()
    await openSend(visit)
    await fill(visit, '0.01', ALIKE)
    await warning(visit, 'lookAlike').waitFor()
    await visit.modal.says(`You paid: ${PAID}`)
    await review(visit)
    await warning(visit, 'lookAlike').waitFor()
    await visit.modal.backButton.click()
    await visit.modal.receiver.fill(PAID)
    await warning(visit, 'lookAlike').waitFor({ state: 'detached' })
  })

  it('who was not paid before is told until they are', async () => {
    const visit = await world.comeBack()
    await openSend(visit)
    await fill(visit, '0.01', NEW)
    await warning(visit, 'firstSeen').waitFor()
    await review(visit)
    await confirm(visit)
    await visit.modal.confirmed()
    await visit.page.reload()
    await openSend(visit)
    await fill(visit, '0.01', STRANGER)
    await warning(visit, 'firstSeen').waitFor()
    await visit.modal.receiver.fill(NEW)
    await warning(visit, 'firstSeen').waitFor({ state: 'detached' })
  })

  it('whose name is written in letters that look like others is told, also where the name leads nowhere', async () => {
    const visit = await world.comeBack()
    await openSend(visit)
    await fill(visit, '0.01', 'аlice.eth')
    await warning(visit, 'nameLetters').waitFor()
    await visit.modal.receiver.fill('alice.eth')
    await visit.modal.says('0x7099')
    await warning(visit, 'nameLetters').waitFor({ state: 'detached' })
  })

  it('that is a contract is told and may be paid, and the token that is sent may not', async () => {
    const visit = await world.comeBack()
    await openSend(visit)
    await fill(visit, '0.01', contractOf('usdc'))
    await warning(visit, 'contract').waitFor()
    await visit.modal.close()
    void askToSend(visit, { assetAddress: contractOf('usdc'), amount: '1', to: contractOf('usdc') })
    await visit.modal.says("This is the token's own contract. Anything you send is lost.")
    await visit.modal.reviewButton.click()
    expect(await visit.modal.title.textContent()).toBe('Send')
  })

  it('of another kind of chain, or without an owner, is refused in words', async () => {
    const visit = await world.comeBack()
    await openSend(visit)
    await visit.modal.amount.fill('0.01')
    const faults: [string, string][] = [
      [
        '7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE',
        'This address is for another network. Paste one of this network.'
      ],
      ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'This address is for another network. Paste one of this network.'],
      [`eip155:1:${PAID}`, 'This address is for another network. Paste one of this network.'],
      ['0x0000000000000000000000000000000000000000', 'No one controls this address. Coins sent to it are lost.']
    ]
    for (const [receiver, words] of faults) {
      await visit.modal.receiver.fill(receiver)
      await visit.modal.says(words)
      await visit.modal.reviewButton.click()
      expect(await visit.modal.title.textContent()).toBe('Send')
    }
    expect(await visit.control(({ pending }) => pending.length)).toBe(0)
  })
})

describe('sending that the host switched off', () => {
  it('spec_6_4_has_no_button_and_a_call_for_it_is_refused', async () => {
    const visit = await world.comeBack('/?without=send')
    await openAccount(visit)
    await visit.modal.part('wallet-features-receive-button').waitFor()
    expect(await visit.modal.part('wallet-features-send-button').count()).toBe(0)
    await visit.modal.close()
    expect(await askToSend(visit, { amount: '1', to: PAID })).toMatchObject({ refused: expect.any(String) })
    expect(await visit.modal.receiver.count()).toBe(0)
  })
})
