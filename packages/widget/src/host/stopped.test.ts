//! A core that traps as soon as it is made.

// @vitest-environment happy-dom

import { expect, it, vi } from 'vitest'
import { Core } from '../../wasm/portico.js'
import { byTestId, freshPage, kitOf, modal, reasonOf, WALLET, whenBegun } from './test-page.ts'

const page = freshPage()

/** Makes every core trap in the given method. */
function trapAt(step: 'first' | 'dispatch') {
  return vi.spyOn(Core.prototype, step).mockImplementation(() => {
    throw new WebAssembly.RuntimeError('unreachable')
  })
}

for (const step of ['first', 'dispatch'] as const)
  it(`that traps twice at its ${step} is told where the modal would stand, and can be closed`, async () => {
    trapAt(step)
    const kit = kitOf()
    const opened = reasonOf(kit.open())
    await kit.preload()
    expect(await opened).toBe('restarted')
    const dialog = modal().querySelector('dialog')
    expect([kit.isOpen(), dialog?.open]).toEqual([true, true])
    expect(dialog?.textContent).toContain('Stopped')
    byTestId(modal(), 'w3m-header-close')?.click()
    expect([kit.isOpen(), dialog?.open]).toEqual([false, false])
    expect(await reasonOf(kit.open())).toBe('stopped')
    expect(modal().querySelectorAll('.card')).toHaveLength(1)
  })

it('that stops between its first step and its views is told there too, and can be closed', async () => {
  const kit = kitOf()
  const opened = reasonOf(kit.open())
  whenBegun(kit, () => {
    trapAt('first')
    trapAt('dispatch')
    kit.setLoading(true)
  })
  await kit.preload()
  expect(modal().querySelector('dialog')?.textContent).toContain('Stopped')
  byTestId(modal(), 'w3m-header-close')?.click()
  expect([kit.isOpen(), modal().querySelector('dialog')?.open]).toEqual([false, false])
  expect(await opened).toBe('restarted')
})

it('that stops over a choice of the first frame refuses the calls that came after it, once it is closed', async () => {
  page.wallet()
  const kit = kitOf()
  const opened = reasonOf(kit.open())
  const { dispatch } = Core.prototype
  let trapped = false
  vi.spyOn(Core.prototype, 'dispatch').mockImplementation(function (this: Core, event, now) {
    trapped ||= event.includes('walletChosen')
    if (trapped) throw new WebAssembly.RuntimeError('unreachable')
    return dispatch.call(this, event, now)
  })
  byTestId(modal(), `wallet-selector-${WALLET}`)?.click()
  const later = [kit.connect({ connectorId: WALLET }), kit.fetchBalance()].map(reasonOf)
  await kit.preload()
  expect(modal().querySelector('dialog')?.textContent).toContain('Stopped')
  await kit.close()
  expect([await opened, ...(await Promise.all(later))]).toEqual(['restarted', 'loadFailed', 'loadFailed'])
})
