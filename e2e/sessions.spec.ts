import { describe, expect, it } from 'vitest'
import { connected, open, openAccount } from './pages/journey.ts'
import { ask, code, codeOf, ONE, paired, signs, TWO, usePhones, type Wallet } from './pages/remote.ts'
import { account, granted } from './peers/world/granted.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()
const phone = usePhones(world)

const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const SOLANA_ADDRESS = '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv'

describe('a tab that was open before', () => {
  it('leaves the session of the other one alone', async () => {
    const [visit, wallet] = [await world.visit(), await phone()]
    const other = await visit.context.newPage()
    await other.goto(`${world.origin}/`)
    await other.getByTestId('connect-button').click()
    await other.getByTestId('wallet-selector-walletconnect').click()
    await other.locator('wui-qr-code[uri]').waitFor()
    const heard = other.evaluate(
      () =>
        new Promise<void>((resolve) => {
          addEventListener('storage', ({ key }) => {
            if (key?.includes('wc/session/')) resolve()
          })
        })
    )
    await visit.page.bringToFront()
    const topic = await paired(visit, wallet, ONE)
    await heard
    // A deletion by the other tab would have passed the relay before these messages.
    expect(await signs(visit, wallet, topic)).toBe(ONE)
    await wallet.ping(topic)
    expect(wallet.inbox.count('deleted')).toBe(0)
    await connected(visit)
  })
})

describe('a session stands on', () => {
  it("the page's first network, whatever the wallet names first", async () => {
    const [visit, wallet] = [await world.visit('/?networks=31338,31337'), await phone()]
    const topic = await paired(visit, wallet, ONE, TWO)
    expect(await visit.fact('network-caip-id')).toBe(TWO)
    expect(await ask(visit, 'eth_chainId')).toBe('0x7a6a')
    expect(await signs(visit, wallet, topic)).toBe(TWO)
  })
})

describe('a session in two namespaces', () => {
  /** Visit with a session on both namespaces. Without adapters, they are available through the wallet only. */
  async function both(wallet: Wallet): Promise<[Visit, string]> {
    const visit = await world.visit('/?adapters=none&networks=31337,31338,solana')
    await open(visit)
    await code(visit).waitFor()
    await wallet.pair(await codeOf(visit))
    const proposal = await wallet.inbox.next('proposed')
    const topic = await wallet.approve(proposal.id, {
      ...granted(ONE, TWO),
      solana: {
        chains: [SOLANA],
        accounts: [`${SOLANA}:${SOLANA_ADDRESS}`],
        methods: ['solana_signMessage'],
        events: ['accountsChanged']
      }
    })
    await visit.modal.gone()
    await connected(visit)
    return [visit, topic]
  }

  async function useNetwork(visit: Visit, name: string, id: string): Promise<void> {
    await visit.modal.accountButton.click()
    await visit.modal.part('w3m-account-select-network').click()
    await visit.modal.network(name).getByRole('button').click()
    await expect.poll(() => visit.fact('network-caip-id')).toBe(id)
    await visit.modal.close()
  }

  it('shows the account of each, and asks the wallet for the chain of each', async () => {
    const wallet = await phone()
    const [visit, topic] = await both(wallet)
    expect(await visit.fact('account-address')).toBe(account.address)
    expect(await signs(visit, wallet, topic)).toBe(ONE)
    await useNetwork(visit, 'Solana', SOLANA)
    await expect.poll(() => visit.fact('account-address')).toBe(SOLANA_ADDRESS)
    const answer = ask(visit, 'solana_signMessage', { message: 'yes', pubkey: SOLANA_ADDRESS }, 'solana')
    const { id, chainId, method } = await wallet.inbox.next('requested')
    expect([method, chainId]).toEqual(['solana_signMessage', SOLANA])
    await wallet.answer(topic, id, { signature: 'signed' })
    expect(await answer).toEqual({ signature: 'signed' })
  })

  it('follows a switch in the one that is not in use', async () => {
    const wallet = await phone()
    const [visit, topic] = await both(wallet)
    await useNetwork(visit, 'Solana', SOLANA)
    await wallet.emit(topic, ONE, 'chainChanged', 31338)
    await expect.poll(() => ask(visit, 'eth_chainId')).toBe('0x7a6a')
    const network = () => visit.page.evaluate(() => window.kit?.getCaipNetwork('eip155')?.caipNetworkId)
    await expect.poll(network).toBe(TWO)
    expect(await visit.fact('network-caip-id')).toBe(SOLANA)
    expect(await signs(visit, wallet, topic)).toBe(TWO)
  })

  it('is over in both when the wallet ends it', async () => {
    const wallet = await phone()
    const [visit, topic] = await both(wallet)
    await wallet.delete(topic)
    await visit.modal.connectButton.waitFor()
    const addresses = () =>
      visit.page.evaluate(() => [window.kit?.getAddress('eip155') ?? '', window.kit?.getAddress('solana') ?? ''])
    await expect.poll(addresses).toEqual(['', ''])
  })
})

describe('a wallet that is gone', () => {
  it('is found out when it is asked something, and said', async () => {
    const [visit, wallet] = [await world.visit('/', { clock: true }), await phone()]
    const topic = await paired(visit, wallet, ONE)
    await signs(visit, wallet, topic)
    await wallet.stop()
    await openAccount(visit)
    let answer: unknown
    void ask(visit, 'personal_sign', ['0x68656c6c6f', account.address]).then((told) => {
      answer = told
    })
    const later = async () => {
      await visit.page.clock.fastForward(5_000)
      return answer
    }
    await expect.poll(later).toEqual({ code: 4900 })
    await visit.modal.snacks("Your wallet isn't responding")
    // The wallet may come back, so the session is not ended.
    await connected(visit)
  })
})

describe('a page whose connections do not outlive it', () => {
  it('ends the session of the one before when the modal is wanted, but none that another tab shows', async () => {
    const [visit, wallet] = [await world.visit('/?reconnect=off'), await phone()]
    const topic = await paired(visit, wallet, ONE)
    const other = await visit.context.newPage()
    await other.goto(`${world.origin}/?reconnect=off`)
    await other.getByTestId('connect-button').click()
    await other.getByTestId('wallet-selector-walletconnect').click()
    await other.locator('wui-qr-code[uri]').waitFor()
    expect(await signs(visit, wallet, topic)).toBe(ONE)
    expect(wallet.inbox.count('deleted')).toBe(0)
    await other.close()
    await visit.page.reload()
    await open(visit)
    expect(await wallet.inbox.next('deleted')).toMatchObject({ topic })
    await visit.modal.wallet('walletconnect').waitFor()
  })
})
