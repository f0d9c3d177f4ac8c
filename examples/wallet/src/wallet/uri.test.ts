import { describe, expect, it } from 'vitest'
import { linkIn, readUri } from './uri.ts'

const TOPIC = '7f6e504bfad60b485450578e05678ed3e8e8c4751d3c6160be17160d63ec90f9'
const KEY = '587d5484ce2a2a6ee3ba1962fdd7e8588e06200c46823bd18fbd67def96ad303'
const URI = `wc:${TOPIC}@2?symKey=${KEY}&relay-protocol=irn&expiryTimestamp=1000`
const encoded = encodeURIComponent(URI)

const faultOf = (text: string) => {
  const read = readUri(text)
  return 'fault' in read ? read.fault : null
}

describe('a text that is no code', () => {
  it('is told apart by what is wrong with it', () => {
    expect(faultOf('  ')).toBe('Paste a code first.')
    for (const text of [
      'hello',
      'https://shop.example',
      'wc:',
      '%%%',
      '?uri=',
      '[]',
      'x'.repeat(100_000),
      'aGVsbG8'.repeat(9)
    ]) {
      expect(faultOf(text), text.slice(0, 20)).toMatch(/^This isn't a WalletConnect link/)
    }
    expect(faultOf(`wc:${TOPIC}@1?bridge=https%3A%2F%2Fb.example&key=${KEY}`)).toMatch(/WalletConnect 1/)
    expect(faultOf(`wc:${TOPIC}@3?symKey=${KEY}`)).toMatch(/doesn't support this version/)
    expect(faultOf(URI.replace(KEY, KEY.slice(1)))).toMatch(/missing/)
    expect(faultOf(URI.replace(TOPIC, '../etc'))).toMatch(/missing/)
  })

  it('is not looked into for ever', () => {
    let deep = URI
    for (let at = 0; at < 9; at += 1) deep = `https://a.example/wc?uri=${encodeURIComponent(deep)}`
    expect(faultOf(deep)).toMatch(/^This isn't a WalletConnect link/)
  })
})

describe('a code', () => {
  it.each([
    ['as it is', URI],
    ['with blanks around it', `\n ${URI} `],
    ['in capital letters', URI.replace('wc:', 'WC:')],
    ['encoded', encoded],
    ['encoded twice', encodeURIComponent(encoded)],
    ['in the link of a wallet', `https://wallet.example/wc?uri=${encoded}`],
    ['in a link, encoded twice', `https://wallet.example/wc?uri=${encodeURIComponent(encoded)}`],
    ['in a link, not encoded', `https://wallet.example/wc?uri=${URI}`],
    ['in the link of an app', `portico://wc?uri=${encoded}&sessionTopic=1`],
    ['in base64', btoa(URI)]
  ])('is found %s', (_, text) => {
    expect(readUri(text)).toEqual({ uri: URI, topic: TOPIC, expiry: 1000 })
  })

  it('keeps its parts in any order, and may have no end', () => {
    const uri = `wc://${TOPIC}@2?relay-protocol=irn&unknown=1&symKey=${KEY}`
    expect(readUri(uri)).toEqual({ uri, topic: TOPIC, expiry: null })
  })
})

it('is found in the address of the page where an app opened it, encoded or not', () => {
  for (const uri of [URI, encoded, encodeURIComponent(encoded)]) {
    const link = linkIn(`https://wallet.example/wallet/wc?uri=${uri}#tab`)
    expect(readUri(link ?? '')).toEqual({ uri: URI, topic: TOPIC, expiry: 1000 })
  }
  expect(linkIn('https://wallet.example/wallet/')).toBeNull()
  expect(linkIn('https://wallet.example/wallet/wc?requestId=1')).toBeNull()
})
