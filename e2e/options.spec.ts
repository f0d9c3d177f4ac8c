import { describe, expect, it } from 'vitest'
import { openViews } from '../packages/widget/src/generated/constants.ts'
import { connect, open } from './pages/journey.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()

/** Expects that the modal shows a title and content, whatever the options are. */
async function notBlank({ modal }: Visit): Promise<void> {
  expect(await modal.title.textContent()).not.toBe('')
  expect(((await modal.card.textContent()) ?? '').length).toBeGreaterThan(20)
}

describe('options that are wrong', () => {
  it('spec_8_46_a_missing_project_id_raises_the_alert_and_wallets_connect_all_the_same', async () => {
    const visit = await world.visit('/?projectId=')
    await open(visit)
    await visit.modal.warns('Project ID Not Configured')
    await notBlank(visit)
    await visit.modal.close()
    await connect(visit)
  })

  it('spec_8_45_a_malformed_project_id_raises_the_alert', async () => {
    const visit = await world.visit('/?projectId=not%20an%20id!')
    await open(visit)
    await visit.modal.warns('Invalid Project ID')
    await notBlank(visit)
  })

  it('spec_8_34_siwx_and_siwe_config_together_are_refused', async () => {
    const visit = await world.visit('/?siwx=both')
    await expect
      .poll(() => visit.page.getByTestId('refusal').textContent())
      .toContain('Cannot set both `siweConfig` and `siwx` options'.replaceAll('`', ''))
  })

  it('no networks at all is told, and the modal is not blank', async () => {
    const visit = await world.visit('/?networks=none')
    await open(visit)
    await visit.modal.warns('Invalid App Configuration')
    await visit.modal.warns(/at least one network/)
    await notBlank(visit)
  })

  it('a network without an RPC address is told, and the others work', async () => {
    const visit = await world.visit('/?networks=norpc,31338')
    await open(visit)
    await visit.modal.warns(/rpcUrls/)
    await notBlank(visit)
    await visit.modal.close()
    await visit.modal.networkButton.click()
    await visit.modal.network('Anvil Two').waitFor()
    expect(await visit.modal.network('Anvil One').count()).toBe(0)
  })

  it('a network without an id is told', async () => {
    const visit = await world.visit('/?networks=noid,31338')
    await open(visit)
    await visit.modal.warns(/Invalid CAIP-2 network id/)
  })

  it('spec_4_20_a_network_given_twice_is_there_once', async () => {
    const visit = await world.visit('/?networks=31337,31337,31338')
    await visit.modal.networkButton.click()
    await visit.modal.network('Anvil Two').waitFor()
    expect(await visit.modal.network('Anvil One').count()).toBe(1)
  })

  it('an unknown view is told, and the modal opens where it would have', async () => {
    const visit = await world.visit()
    const said = visit.page.evaluate(async () => {
      const { kit } = window as unknown as { kit: { open(options: object): Promise<unknown> } }
      return kit.open({ view: 'Nonsense' }).then(
        () => 'opened',
        (error: { reason?: string; message: string }) => `${error.reason}: ${error.message}`
      )
    })
    await visit.modal.shown()
    await visit.modal.warns(/Unknown view 'Nonsense'/)
    expect(await said).toMatch(/^unknownView: /)
    expect(await visit.modal.title.textContent()).toBe('Connect Wallet')
  })

  it('every view that a host may name shows something', async () => {
    const visit = await world.visit()
    const walk = async () => {
      for (const view of openViews) {
        // `open` rejects too when a send form is closed without a hash; only an unknown view is an error here.
        const said = visit.page.evaluate(async (name) => {
          const { kit } = window as unknown as { kit: { open(options: object): Promise<unknown> } }
          return kit.open({ view: name }).then(
            () => '',
            (error: { reason?: string }) => error.reason
          )
        }, view)
        await visit.modal.ready()
        await expect.poll(() => visit.modal.card.textContent(), { message: view }).toMatch(/\w[\s\S]{30}/)
        expect(await visit.modal.alert.count(), view).toBe(0)
        await visit.modal.close()
        expect(await said, view).not.toBe('unknownView')
      }
    }
    await walk()
    await connect(visit)
    await walk()
  })

  it('an address of the server that is none is told', async () => {
    const visit = await world.visit('/?endpoints=nonsense')
    await open(visit)
    await visit.modal.warns(/endpoints/)
  })

  it('a host that wants no alert bar sees none', async () => {
    const visit = await world.visit('/?projectId=&debug=off')
    await open(visit)
    await visit.modal.wallet().waitFor()
    expect(await visit.modal.alert.count()).toBe(0)
  })
})
