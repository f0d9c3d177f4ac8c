// @vitest-environment happy-dom

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { byTestId, freshPage, kitOf, modal, stubNetwork } from './test-page.ts'

freshPage()
beforeEach(() => {
  document.documentElement.lang = 'ar'
})
afterEach(() => {
  document.documentElement.lang = ''
})

it('a page in Arabic sees the modal in Arabic from its first drawing on', async () => {
  const kit = kitOf()
  const opened = kit.open()
  const titles = new Set<string | undefined>()
  const watch = new MutationObserver(() => titles.add(byTestId(modal(), 'w3m-header-text')?.textContent))
  watch.observe(modal(), { childList: true, subtree: true, characterData: true })
  await opened
  await vi.waitFor(() => expect(titles.has('ربط المحفظة')).toBe(true))
  watch.disconnect()
  titles.delete(undefined)
  expect([...titles]).toEqual(['ربط المحفظة'])
})

it('a page in Arabic is told in Arabic that the modal cannot be loaded', async () => {
  stubNetwork(() => Promise.reject(new TypeError('Failed to fetch')))
  const kit = kitOf()
  await vi.waitFor(() => expect(kit.engine.labels.connect).toBe('ربط المحفظة'))
  kit.open().catch(() => {})
  await vi.waitFor(() => expect(modal().querySelector('.says')?.textContent).toContain('تحقّق من اتصالك'))
  expect(modal().querySelector('.again')?.textContent).toBe('حاول مجددًا')
})
