//! Sign-in of accounts that are contracts: deployed ones (EIP-1271), and ones that are not deployed yet (ERC-6492), at the server and in the page.

import { describe, expect, it } from 'vitest'
import { CONTRACT_WALLET, type ContractWallet, counterfactualWallet, deployedWallet } from './pages/contract-wallet.ts'
import { connected, open } from './pages/journey.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()

const sign = ({ modal, page }: Visit) => modal.part('w3m-connecting-siwe-sign').and(page.locator(':not([aria-busy])'))

/** Visit of somebody who connected the wallet, and is asked to sign in. */
async function asked(wallet: ContractWallet, siwx = 'server'): Promise<Visit> {
  const visit = await world.visit(`/?testkit=off&relays=off&siwx=${siwx}`, {
    alone: true,
    prepare: (page) => wallet.announce(page)
  })
  await open(visit)
  await visit.modal.wallet(CONTRACT_WALLET).click()
  await sign(visit).waitFor()
  return visit
}

async function signedIn(visit: Visit): Promise<void> {
  await visit.modal.gone()
  await connected(visit)
}

/** Account of the session, as the server tells it. */
const me = ({ page }: Visit): Promise<string> =>
  page.evaluate(async () => {
    const [{ token }] = JSON.parse(localStorage.getItem('@portico/siwx') ?? '[]')
    const headers = { authorization: `Bearer ${token}` }
    return (await (await fetch('/auth/v1/me?projectId=demo', { headers })).json()).sub
  })

const stored = ({ page }: Visit) => page.evaluate(() => localStorage.getItem('@portico/siwx'))
const codeAt = (address: string) => world.one.request('eth_getCode', [address, 'latest'])

describe.each([
  ['a deployed contract', () => deployedWallet(world.one), /^0x60/],
  ['a contract that is not deployed yet', () => counterfactualWallet(world.one), /^0x$/]
] as const)('the account of %s', (_, start, code) => {
  it('spec_4_25_and_4_26_signs_in_at_the_server_which_asks_the_chain_and_changes_nothing_there', async () => {
    const wallet = await start()
    const visit = await asked(wallet)
    await sign(visit).click()
    await signedIn(visit)
    expect(await me(visit)).toBe(`eip155:31337:${wallet.address}`)
    expect(await codeAt(wallet.address)).toMatch(code)
    await visit.page.reload()
    await connected(visit)
    expect(wallet.asked.filter((method) => method === 'personal_sign')).toHaveLength(1)
  })

  it('spec_4_27_is_refused_with_the_signature_of_a_stranger', async () => {
    const wallet = await start()
    const visit = await asked(wallet)
    wallet.forges = true
    await sign(visit).click()
    await visit.modal.says("The signature isn't from this account. Sign again.")
    expect(await stored(visit)).toBeNull()
    wallet.forges = false
    await sign(visit).click()
    await signedIn(visit)
  })

  it('spec_4_27_hears_that_it_cannot_be_verified_now_while_the_chain_is_unreachable', async () => {
    const wallet = await start()
    const visit = await asked(wallet)
    world.one.line.cut()
    await sign(visit).click()
    await visit.modal.says("Couldn't verify your signature now. Try again.")
    expect(await stored(visit)).toBeNull()
    world.one.line.mend()
    await sign(visit).click()
    await signedIn(visit)
    expect(await me(visit)).toBe(`eip155:31337:${wallet.address}`)
  })
})

it('spec_4_27_a_contract_that_is_not_deployed_is_refused_without_the_way_to_deploy_it', async () => {
  const wallet = await counterfactualWallet(world.one)
  const visit = await asked(wallet)
  wallet.wraps = false
  await sign(visit).click()
  await visit.modal.says("The signature isn't from this account. Sign again.")
  wallet.wraps = true
  await sign(visit).click()
  await signedIn(visit)
})

it('spec_4_26_a_page_without_a_server_asks_the_chain_about_a_deployed_contract', async () => {
  const wallet = await deployedWallet(world.one)
  const visit = await asked(wallet, 'required')
  wallet.forges = true
  await sign(visit).click()
  await visit.modal.says("The signature isn't from this account. Sign again.")
  wallet.forges = false
  await sign(visit).click()
  await signedIn(visit)
  const [session] = await visit.page.evaluate(() => JSON.parse(localStorage.getItem('@appkit/siwx') ?? '[]'))
  expect(session.data.accountAddress).toBe(wallet.address)
})

it('spec_4_27_a_page_without_a_server_cannot_verify_a_contract_while_the_chain_is_unreachable', async () => {
  const wallet = await deployedWallet(world.one)
  const visit = await asked(wallet, 'required')
  const kept = () => visit.page.evaluate(() => localStorage.getItem('@appkit/siwx'))
  // At first the server answers with an error, and then it can't be reached either.
  world.one.line.cut()
  await sign(visit).click()
  await visit.modal.says("Couldn't verify your signature now. Try again.")
  await visit.page.route('**/v1?chainId=**', (route) => route.abort())
  await sign(visit).click()
  await sign(visit).waitFor()
  await visit.modal.says("Couldn't verify your signature now. Try again.")
  expect(await kept()).toBeNull()
  await visit.page.unroute('**/v1?chainId=**')
  world.one.line.mend()
  await sign(visit).click()
  await signedIn(visit)
  // A chain that cannot be asked says nothing about a stored session, which counts meanwhile.
  await visit.page.route('**/v1?chainId=**', (route) => route.abort())
  await visit.page.reload()
  await signedIn(visit)
  expect(wallet.asked.filter((method) => method === 'personal_sign')).toHaveLength(3)
})
