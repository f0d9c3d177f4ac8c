import { expect, it } from 'vitest'
import { countdown, hides, oneLine, textOf, wholeText } from './text.ts'

it('leaves nothing of a name that could change what stands around it', () => {
  expect(oneLine('  Shop\n\tof\u202eevil\u200b \u0007')).toBe('Shop ofevil')
  expect(oneLine('x'.repeat(1_000_000))).toHaveLength(60)
  expect(oneLine('😀'.repeat(100), 10)).toBe(`${'😀'.repeat(9)}…`)
  for (const nonsense of [undefined, null, 7, {}, ['Shop']]) expect(oneLine(nonsense)).toBe('')
})

it('names the letters of a message that cannot be seen, and keeps its lines', () => {
  expect(wholeText('pay\n\tme\u202e\u0000')).toBe('pay\n\tme⟨U+202E⟩⟨U+0000⟩')
  expect(wholeText('a\r\nb')).toBe('a\nb')
  expect(hides('a\r\nb\tc')).toBe(false)
  expect(hides('a\u2066b')).toBe(true)
})

it('takes bytes for a text only where they are one', () => {
  expect(textOf(new Uint8Array([104, 105]))).toBe('hi')
  expect(textOf(new Uint8Array([0xff, 0xfe]))).toBeNull()
  expect(textOf(new Uint8Array())).toBe('')
})

it('tells the time left', () => {
  expect([0, -3, 9, 245].map(countdown)).toEqual(['0:00', '0:00', '0:09', '4:05'])
})
