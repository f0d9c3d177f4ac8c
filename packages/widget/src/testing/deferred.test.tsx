//! A letter that is typed into a search is on the screen before the list that it leads to, which may be long.

import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { Snapshot } from '../generated/core.ts'
import { WalletSendSelectTokenView } from '../send/WalletSendSelectTokenView.tsx'
import { SolanaSendSelectTokenView } from '../solana/SolanaSendSelectTokenView.tsx'
import { SwapSelectTokenView } from '../swap/SwapSelectTokenView.tsx'
import { draw, pictureOf } from './draw.tsx'

const part = ({ swapTokens, sendTokens, solanaTokens }: Snapshot) => ({ swapTokens, sendTokens, solanaTokens })

it.each([
  ['WalletSendSelectToken', WalletSendSelectTokenView],
  ['SolanaSendSelectToken', SolanaSendSelectTokenView],
  ['SwapSelectToken', SwapSelectTokenView]
] as const)('%s draws the letter first, and then the list', async (name, View) => {
  const shell = draw(View, `${name}.list`)
  const field = screen.getByRole<HTMLInputElement>('searchbox')
  const list = () => field.closest('body')?.textContent
  const before = list()
  // React draws by its own clock, as in a page.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  shell.arrive(part(pictureOf(`${name}.none`)))
  await Promise.resolve()
  expect(field.value).not.toBe('')
  expect(list()).toBe(before)
  await vi.waitFor(() => expect(list()).not.toBe(before))
  vi.unstubAllGlobals()
})
