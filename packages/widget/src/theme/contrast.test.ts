import { describe, expect, it } from 'vitest'
import { baseCss } from './base.css.ts'
import { curtainCss } from './curtain.css.ts'

type Colour = readonly [red: number, green: number, blue: number, alpha: number]

/** CSS variables of a mode: the dark ones, overridden by the light ones. */
function tokens(mode: 'dark' | 'light'): Map<string, string> {
  const found = new Map<string, string>()
  // Only fixed values: colours computed from the host's accent are measured in a real browser.
  const fixed = (css: string) => css.split('@supports')[0] ?? ''
  for (const css of [curtainCss, fixed(baseCss)]) {
    for (const [, selector = '', body = ''] of css.matchAll(/(:host[^{]*)\{([^}]*)\}/g)) {
      if (mode === 'dark' && selector.includes('light')) continue
      for (const [, name = '', value = ''] of body.matchAll(/--(\w[\w-]*):([^;]+)/g)) found.set(name, value.trim())
    }
  }
  return found
}

function colour(text: string): Colour {
  const digits = text.replace('#', '')
  const wide = digits.length < 6 ? [...digits].map((digit) => digit + digit).join('') : digits
  const [red = 0, green = 0, blue = 0, alpha = 255] = (wide.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))
  return [red, green, blue, alpha / 255]
}

/** Colour that results from drawing one colour over another. */
function over(top: Colour, ground: Colour): Colour {
  const mix = (index: 0 | 1 | 2) => top[index] * top[3] + ground[index] * (1 - top[3])
  return [mix(0), mix(1), mix(2), 1]
}

/** Relative luminance (WCAG 2.2). */
function luminance(seen: Colour): number {
  const [red = 0, green = 0, blue = 0] = seen.slice(0, 3).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(ink: Colour, ground: Colour): number {
  const [light, dark] = [luminance(over(ink, ground)), luminance(ground)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

describe.each(['dark', 'light'] as const)('in the %s mode', (mode) => {
  const known = tokens(mode)
  const of = (name: string) => colour(known.get(name) ?? '')
  const card = of('base')
  const grounds: readonly (readonly [string, Colour])[] = [
    ['the card', card],
    ['a row', over(of('row'), card)],
    ['a pressed row', over(of('row-press'), card)],
    ['a field', of('field')]
  ]

  it.each(grounds)('words are readable on %s', (_, ground) => {
    expect(contrast(of('ink'), ground)).toBeGreaterThan(7)
    expect(contrast(of('soft'), ground)).toBeGreaterThan(4.5)
  })

  it.each([
    ['good', 'good-tint'],
    ['link', 'tint'],
    ['bad', 'bad-tint'],
    ['ink', 'bad-tint'],
    ['soft', 'bad-tint']
  ])('%s is readable on %s', (ink, tint) => {
    const ground = over(of(tint), over(of('row'), card))
    expect(contrast(of(ink), ground)).toBeGreaterThan(4.5)
  })

  it('a main button, a fault and the ring of the focus stand out', () => {
    expect(contrast(of('on-accent'), of('button'))).toBeGreaterThan(4.5)
    expect(contrast(of('bad'), over(of('row'), card))).toBeGreaterThan(4.5)
    expect(contrast(of('focus'), card)).toBeGreaterThan(3)
  })
})
