import { describe, expect, it } from 'vitest'
import { animation, width } from '../generated/constants.ts'
import { baseCss } from './base.css.ts'
import { curtainCss } from './curtain.css.ts'

const [fades, rises, leaves] = animation

describe('the numbers of the contract that the sheets repeat', () => {
  it('spec_9_4 a view fades, the card rises and the card leaves in as many milliseconds as the core says', () => {
    expect(baseCss).toContain(`.view{animation:fade ${fades}ms `)
    expect(baseCss).toContain(`transition:transform ${rises}ms `)
    const leaving = `opacity ${leaves}ms ease-out,display ${leaves}ms allow-discrete,overlay ${leaves}ms allow-discrete`
    expect(baseCss).toContain(`dialog{opacity:0;transition:${leaving}}`)
  })

  it('spec_9_4 nothing else moves once for another time', () => {
    const once = [...baseCss.matchAll(/(?:transition|animation):([^;}]*)/g)].map(([, value = '']) => value)
    const times = once
      .filter((value) => !/infinite|shake|none/.test(value))
      .flatMap((value) => value.match(/\d+ms/g) ?? [])
    expect([...new Set(times)].sort()).toEqual([...new Set(animation)].map((time) => `${time}ms`).sort())
  })

  it('spec_2_28 a refused close shakes for 500 ms', () => {
    expect(baseCss).toContain('.card.shaking{animation:shake 500ms}')
  })

  it('spec_2_7 the card is as wide as the core says', () => {
    expect(curtainCss).toContain(`width:${width}px;max-width:100%`)
  })
})
