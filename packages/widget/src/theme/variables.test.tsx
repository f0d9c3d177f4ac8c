import { expect, it } from 'vitest'
import { applyTheme } from './variables.ts'

function applied(variables: unknown): string {
  const host = document.createElement('w3m-modal')
  applyTheme(host, 'dark', variables)
  return host.style.cssText
}

it('takes the variables of both prefixes, the newer one first', () => {
  expect(applied({ '--apkt-accent': '#111', '--w3m-accent': '#222' })).toBe('--apkt-accent: #111;')
  expect(applied({ '--w3m-accent': '#222', '--apkt-accent': '#111' })).toBe('--apkt-accent: #111;')
  expect(applied({ '--w3m-font-family': '"Inter", sans-serif' })).toBe('--apkt-font-family: "Inter", sans-serif;')
})

it('gives a bare number the unit that the sheet wants', () => {
  expect(applied({ '--w3m-border-radius-master': 2 })).toBe('--apkt-border-radius-master: 2px;')
  expect(applied({ '--w3m-color-mix-strength': '40%' })).toBe('--apkt-color-mix-strength: 40;')
  expect(applied({ '--w3m-z-index': 10 })).toBe('--apkt-z-index: 10;')
})

it('refuses what is not a theme variable and what could fetch or break out', () => {
  for (const variables of [
    { '--other': 'red' },
    { background: 'red' },
    { '--w3m-accent': 'url(https://elsewhere.example)' },
    { '--w3m-accent': 'image-set("a.png" 1x)' },
    { '--w3m-accent': 'red;background:blue' },
    { '--w3m-accent': 'red}:host{display:none' },
    { '--w3m-accent': 'x'.repeat(161) },
    { '--w3m-accent': { a: 1 } },
    { '--w3m-accent': null },
    'nonsense',
    null,
    7
  ]) {
    expect(applied(variables)).toBe('')
  }
})

it('forgets what the host took back', () => {
  const host = document.createElement('w3m-modal')
  applyTheme(host, 'dark', { '--w3m-accent': 'red', '--w3m-z-index': 3 })
  applyTheme(host, 'light', { '--w3m-z-index': 3 })
  expect([host.style.cssText, host.dataset.theme]).toEqual(['--apkt-z-index: 3;', 'light'])
})
