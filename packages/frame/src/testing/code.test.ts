import jsqr from 'jsqr'
import { expect, it } from 'vitest'
import { draw } from '../../../widget/src/testing/raster.ts'
import { cases } from './cases.ts'

it('the gallery shows a code for Farcaster that a phone reads', () => {
  const { code, url } = cases['Farcaster.code']?.snapshot.settings ?? {}
  const { data, side } = draw(code?.path ?? '', code?.size ?? 0, 4)
  expect([url, jsqr(data, side, side)?.data]).toEqual([url, url])
  expect(url).toMatch(/^https:\/\/farcaster\.xyz\//)
})
