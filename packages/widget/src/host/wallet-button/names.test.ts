import { expect, it } from 'vitest'
import { isNamed, kindOf, titleOf } from './names.ts'

it('a word is a wallet, a login or WalletConnect', () => {
  expect(['walletConnect', 'email', 'google', 'metamask', 'toString'].map(kindOf)).toEqual([
    'walletConnect',
    'email',
    'social',
    'wallet',
    'wallet'
  ])
})

it('a button has the name as its wallet writes it', () => {
  expect(['metamask', 'okx', 'magic-eden', 'oneinch', 'github', 'phantom', 'constructor'].map(titleOf)).toEqual([
    'MetaMask',
    'OKX',
    'Magic Eden',
    '1inch',
    'GitHub',
    'Phantom',
    'Constructor'
  ])
})

it.each([
  ['MetaMask', 'metamask', true],
  ['OKX Wallet', 'okx', true],
  ['Crypto.com | DeFi Wallet', 'crypto-com', true],
  ['1inch Wallet', 'oneinch', true],
  ['SafePal', 'safe', false],
  ['Trusty', 'trust', false],
  ['', 'metamask', false]
])('%s is the wallet of the word %s: %s', (name, word, fits) => {
  expect(isNamed(name, word)).toBe(fits)
})
