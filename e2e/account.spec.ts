import { describe, expect, it } from 'vitest'
import { ACCOUNT, connect, connected, disconnected, openAccount, SECOND_ACCOUNT } from './pages/journey.ts'
import { useWorld } from './use-world.ts'

const world = useWorld()

const ETHER = 10n ** 18n

function hex(wei: bigint): string {
  return `0x${wei.toString(16)}`
}

describe('the account view', () => {
  it('spec_2_10_the_balance_is_what_the_chain_says_with_three_decimals', async () => {
    await world.one.request('anvil_setBalance', [ACCOUNT, hex((12_345n * ETHER) / 1_000n + 678n)])
    const visit = await world.comeBack()
    await expect.poll(() => visit.modal.accountButton.textContent()).toContain('12.345 ETH')
    await openAccount(visit)
    await expect.poll(() => visit.modal.balance.textContent()).toBe('12.345 ETH')
    await world.one.request('anvil_setBalance', [ACCOUNT, hex(10_000n * ETHER)])
  })

  it('the account button opens the account also where a new balance is drawn between press and release', async () => {
    const visit = await world.comeBack()
    const text = visit.modal.accountButton.locator('.balance')
    await text.waitFor()
    const before = await text.textContent()
    const held = await world.one.request('eth_getBalance', [ACCOUNT, 'latest'])
    const { x, y, width, height } = (await text.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await visit.page.mouse.move(x + width / 2, y + height / 2)
    await visit.page.mouse.down()
    try {
      await world.one.request('anvil_setBalance', [ACCOUNT, '0x1bc16d674ec80000'])
      await visit.page.evaluate('window.kit.updateNativeBalance(window.kit.getAddress(), 31337, "eip155")')
      await expect.poll(() => text.textContent()).not.toBe(before)
    } finally {
      await world.one.request('anvil_setBalance', [ACCOUNT, held])
    }
    await visit.page.mouse.up()
    await visit.modal.part('disconnect-button').waitFor()
  })

  it('the account button stays within a narrow page, whatever it has to say', async () => {
    await world.one.request('anvil_setBalance', [ACCOUNT, hex(1_000_000_000_000n * ETHER)])
    const visit = await world.comeBack('/')
    const says = () => visit.modal.accountButton.textContent()
    await expect.poll(says).toContain('1,000,000,000,000.000 ETH')
    await visit.page.setViewportSize({ width: 320, height: 640 })
    await expect.poll(says).toMatch(/^0xf3…b92266$/i)
    const beyond = () => visit.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(await beyond()).toBeLessThanOrEqual(0)
    await visit.page.setViewportSize({ width: 1280, height: 800 })
    await expect.poll(says).toContain('1,000,000,000,000.000 ETH')
    await world.one.request('anvil_setBalance', [ACCOUNT, hex(10_000n * ETHER)])
  })

  it('the host reads the balance through its hook', async () => {
    const visit = await world.comeBack()
    await visit.press('fetch-balance')
    await expect.poll(() => visit.fact('fetched-balance')).toMatch(/^\d+(\.\d+)? ETH$/)
  })

  it('the upper edge of the card stays where it is while a form grows under the hand of the visitor', async () => {
    const visit = await world.comeBack('/', { reducedMotion: 'reduce' })
    await openAccount(visit)
    await visit.modal.part('wallet-features-send-button').click()
    await visit.modal.amount.fill('1')
    const before = await visit.modal.card.boundingBox()
    await visit.modal.amount.fill('0.0000000000000000001')
    await expect
      .poll(async () => (await visit.modal.card.boundingBox())?.height)
      .toBeGreaterThan((before?.height ?? 0) + 10)
    expect((await visit.modal.card.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0)
  })

  it('spec_2_8_three_tabs_and_each_says_honestly_that_it_is_empty', async () => {
    const visit = await world.comeBack()
    await openAccount(visit)
    const tabs = visit.modal.card.getByRole('tab')
    expect(await tabs.allTextContents()).toEqual(['Tokens', 'NFTs', 'Activity'])
    for (const name of ['NFTs', 'Activity']) {
      await visit.modal.card.getByRole('tab', { name }).click()
      const panel = visit.modal.card.getByRole('tabpanel')
      await expect.poll(() => panel.textContent()).toMatch(/\w/)
      await visit.modal.card.getByRole('tab', { name, selected: true }).waitFor()
    }
  })

  it('spec_2_12_the_address_is_shortened_and_copied_whole', async () => {
    const visit = await world.comeBack('/', { permissions: ['clipboard-read', 'clipboard-write'] })
    await openAccount(visit)
    await visit.modal.says(/^0xf3…b92266$/i)
    await visit.modal.button('Copy address').click()
    // The tick says it; a message would say it twice.
    await visit.modal.card.locator('[data-testid=copy-address-button][data-done=true]').waitFor()
    expect(await visit.modal.card.locator('.snack').count()).toBe(0)
    const copied = await visit.page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(ACCOUNT)
  })

  it('an account switched in the wallet is the account shown, with its own balance', async () => {
    await world.one.request('anvil_setBalance', [SECOND_ACCOUNT, hex(7n * ETHER)])
    const visit = await world.comeBack()
    await visit.control((controls) => controls.switchAccount(1))
    await expect
      .poll(async () => (await visit.fact('account-address')).toLowerCase())
      .toBe(SECOND_ACCOUNT.toLowerCase())
    await expect.poll(() => visit.modal.accountButton.textContent()).toContain('7.000 ETH')
  })
})

describe('coming back', () => {
  it('spec_4_2_a_reload_finds_the_visitor_still_connected_and_asks_nothing', async () => {
    const visit = await world.visit()
    await connect(visit)
    await visit.page.reload()
    await connected(visit)
    expect(await visit.control(({ requests }) => requests.map(({ method }) => method))).not.toContain(
      'eth_requestAccounts'
    )
    await openAccount(visit)
  })

  it('a wallet that announces itself late after the reload is waited for', async () => {
    const visit = await world.comeBack()
    await visit.page.goto(`${world.origin}/?wallet=normal,late=1500`)
    await connected(visit)
  })

  it('spec_4_3_a_wallet_that_is_gone_after_the_reload_leaves_the_visitor_disconnected', async () => {
    const visit = await world.comeBack('/', { clock: true })
    await visit.page.goto(`${world.origin}/?testkit=off`)
    await expect.poll(() => visit.fact('account-status')).toMatch(/connecting$/)
    await visit.modal.accountButton.or(visit.modal.connectButton).waitFor()
    await visit.page.locator('w3m-modal').waitFor({ state: 'attached' })
    await visit.page.clock.fastForward(60_000)
    await disconnected(visit)
  })

  it('a wallet that took its permission back leaves the visitor disconnected', async () => {
    const visit = await world.comeBack()
    await visit.control((controls) => controls.revoke())
    await disconnected(visit)
    await visit.page.reload()
    await disconnected(visit)
  })

  it('a host that does not want reconnection begins anew', async () => {
    const visit = await world.comeBack()
    await visit.page.goto(`${world.origin}/?reconnect=off`)
    await disconnected(visit)
  })
})

describe('disconnecting', () => {
  it('spec_4_12_a_visitor_disconnects_and_stays_so_after_a_reload', async () => {
    const visit = await world.comeBack()
    await openAccount(visit)
    await visit.modal.part('disconnect-button').click()
    await visit.modal.gone()
    await disconnected(visit)
    await visit.page.reload()
    await disconnected(visit)
    expect(await visit.fact('account-address')).toBe('–')
  })

  it('the host disconnects through its hook', async () => {
    const visit = await world.comeBack()
    await visit.press('disconnect')
    await disconnected(visit)
    expect(await visit.fact('action-result')).toBe('Done')
  })
})

describe('storage', () => {
  it('hostile values are a clean start', async () => {
    const visit = await world.visit('/', {
      before: () => {
        for (const key of [
          '@portico/version',
          '@portico/connections',
          '@portico/active_network',
          '@portico/recent_wallets'
        ]) {
          localStorage.setItem(key, key.endsWith('version') ? '1' : '{"__proto__":[1e999,"\\ud800"')
        }
      }
    })
    await connect(visit)
  })

  it('a page whose storage is denied connects all the same', async () => {
    const visit = await world.visit('/?developers', {
      before: () => {
        const denied = () => {
          throw new DOMException('denied', 'SecurityError')
        }
        Object.defineProperty(window, 'localStorage', { get: denied })
        Object.defineProperty(window, 'sessionStorage', { get: denied })
      }
    })
    await connect(visit)
    await openAccount(visit)
  })

  it('a page whose storage is full connects all the same', async () => {
    const visit = await world.visit('/', {
      before: () => {
        Storage.prototype.setItem = () => {
          throw new DOMException('full', 'QuotaExceededError')
        }
      }
    })
    await connect(visit)
  })
})
