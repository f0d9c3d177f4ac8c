import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { arabic } from './ar.ts'
import { en, type Key } from './en.ts'
import { english, LanguageContext, loadLanguage, useText } from './text.tsx'

afterEach(cleanup)

function Say({ word, values }: { word: Key; values: readonly string[] }) {
  return <p>{useText()(word, ...values)}</p>
}

const said = (language: typeof english, word: Key, ...values: string[]) =>
  render(
    <LanguageContext.Provider value={language}>
      <Say word={word} values={values} />
    </LanguageContext.Provider>
  ).container.textContent

describe('words', () => {
  it('say what is known only then', () => {
    expect(said(english, 'switchFailedHint', 'Demo', 'Anvil')).toBe('Demo could not switch to Anvil.')
  })

  it('keep a Latin name apart between words that run the other way', () => {
    expect(said(arabic, 'continueIn', 'Demo $&')).toBe('تابع في \u2068Demo $&\u2069')
  })
})

describe('languages', () => {
  it('have a word for every key, with the same gaps', () => {
    const gaps = (text: string) => [...new Set(text.match(/\{\d\}/g))].sort()
    for (const [key, text] of Object.entries(en)) {
      expect([key, gaps(arabic.words[key as Key])]).toEqual([key, gaps(text)])
    }
  })

  it('are found by the first part of a lang attribute, and English needs no file', async () => {
    expect(await loadLanguage('AR-eg')).toBe(arabic)
    for (const lang of ['', 'en', 'en-GB', 'xx', 'constructor', '__proto__']) expect(loadLanguage(lang)).toBeUndefined()
  })
})
