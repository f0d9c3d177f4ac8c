import type { Verification } from '@portico/walletconnect'
import { expect, it } from 'vitest'
import { metadata } from '../testing/fakes.ts'
import { readPeer } from './peer.ts'

const page = { origin: 'https://wallet.example', referrer: '' }
const standing = (told: object, referrer = '', verification?: Verification) =>
  readPeer(metadata(told), { ...page, referrer }, verification).standing

it('warns of an address that is missing, unencrypted, look-alike or another than the page that opened the wallet', () => {
  for (const url of ['', 'shop', 'javascript:alert(1)', 'data:text/html,x', 'ipfs://shop']) {
    expect(standing({ url }).level, url).toBe('warning')
  }
  expect(standing({ url: 'http://shop.example' })).toEqual({
    level: 'warning',
    words: "shop.example isn't encrypted. Others can read and change what it shows."
  })
  expect(standing({ url: 'https://shоp.example' }).words).toMatch(/lookalike letters/)
  expect(standing({}, 'https://evil.example/').words).toBe("You came from evil.example, but it says it's shop.example.")
})

it('without the word of a relay, trusts only the page that opened the wallet', () => {
  expect(standing({}).level).toBe('unknown')
  expect(standing({ url: 'http://localhost:3000' }).level).toBe('unknown')
  expect(standing({}, 'https://wallet.example/other').level).toBe('unknown')
  expect(standing({}, 'https://shop.example/cart').level).toBe('matches')
})

it('marks an app whose address nobody confirms, names who confirms it, and warns in red of another page', () => {
  expect(standing({})).toEqual({
    level: 'unknown',
    words: 'Unverified: no one confirms this is shop.example. Continue only if you asked for it.'
  })
  expect(standing({}, '', { status: 'verified', origin: 'https://shop.example' })).toEqual({
    level: 'matches',
    words: 'The relay confirms this is shop.example.'
  })
  const evil = { status: 'mismatch', origin: 'https://evil.example' } as const
  expect(standing({}, 'https://shop.example/', evil)).toEqual({
    level: 'danger',
    words: "This comes from evil.example, but the app says it's shop.example. Probably a scam. Decline it."
  })
  expect(standing({ url: '' }, '', evil).words).toContain("the app doesn't name its address")
})

it('shows an icon only where nobody else is asked for it', () => {
  const icon = (icons: unknown) => readPeer(metadata({ icons }), page).icon
  for (const icons of [
    undefined,
    'x',
    [7],
    ['https://shop.example/icon.png'],
    ['data:text/html,x'],
    ['//evil.example/a.png']
  ]) {
    expect(icon(icons), String(icons)).toBeNull()
  }
  expect(icon(['https://shop.example/icon.png', 'data:image/png;base64,AA=='])).toBe('data:image/png;base64,AA==')
  expect(icon(['/icon.svg'])).toBe('/icon.svg')
})

it('finds words for who gives no name', () => {
  expect(readPeer(metadata({ name: '\u202e\u200b' }), page).name).toBe('Unnamed app')
  expect(readPeer(metadata({ name: { evil: true } }), page).name).toBe('Unnamed app')
})
