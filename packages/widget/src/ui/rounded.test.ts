import { expect, it } from 'vitest'
import { rounded } from './rounded.ts'

it('a module becomes a square with round corners, and its middle stays dark', () => {
  expect(rounded('M2 3h1v1h-1z')).toBe('M2 3.42Q2 3 2.42 3L2.58 3Q3 3 3 3.42L3 3.58Q3 4 2.58 4L2.42 4Q2 4 2 3.58z')
})

it('a mark of a code is rounder, for its edges are longer', () => {
  expect(rounded('M0 0h7v7h-7z')).toContain('M0 1.96Q0 0 1.96 0')
})

it('an outline that comes back to where it began has no corner twice', () => {
  expect(rounded('M0 0h1v1h-1v-1z')).toBe(rounded('M0 0h1v1h-1z'))
})

it('what is drawn in another way stays as it is', () => {
  for (const path of ['', 'M0,0h1v1h-1z', 'M0 0l1 1z']) expect(rounded(path)).toBe(path)
})
