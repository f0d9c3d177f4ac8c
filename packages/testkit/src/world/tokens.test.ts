import { expect, it } from 'vitest'
import { type Tokens, tokenList } from './tokens.ts'

const deployed = { address: `0x${'1'.repeat(40)}`, abi: [] } as const

function logos(): Map<string, string> {
  const names = ['usdc', 'dai', 'ticket', 'weth', 'reverting', 'taxed', 'stuck']
  const tokens = Object.fromEntries(names.map((name) => [name, deployed])) as unknown as Tokens
  return new Map(tokenList(31337, tokens).tokens.map(({ symbol, logoURI }) => [symbol, logoURI]))
}

it.each(['USDC', 'DAI', 'WETH'])('%s has a picture of pixels, which fits a token list of the server', (symbol) => {
  const logo = logos().get(symbol) ?? ''
  const bytes = Buffer.from(logo.replace('data:image/webp;base64,', ''), 'base64')
  expect(bytes.subarray(8, 12).toString('latin1')).toBe('WEBP')
  // The server leaves out longer addresses of pictures.
  expect(logo.length).toBeLessThanOrEqual(2048)
})

it('no two tokens that have a price look alike', () => {
  const shown = logos()
  expect(new Set(['USDC', 'DAI', 'WETH'].map((symbol) => shown.get(symbol))).size).toBe(3)
})
