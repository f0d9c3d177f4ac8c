//! Wallets and logins that a wallet button names.

import type { Social } from '../../generated/core.ts'

/** Services of social logins, with the names on their buttons. */
const SOCIALS: Readonly<Record<Social, string>> = {
  google: 'Google',
  x: 'X',
  discord: 'Discord',
  farcaster: 'Farcaster',
  github: 'GitHub',
  apple: 'Apple',
  facebook: 'Facebook',
  openid: 'OpenID'
}

/** Names on the buttons whose word isn't the wallet's name with a capital. */
const TITLES: Readonly<Record<string, string>> = {
  walletConnect: 'WalletConnect',
  email: 'Email',
  metamask: 'MetaMask',
  okx: 'OKX',
  safepal: 'SafePal',
  tokenpocket: 'TokenPocket',
  'timeless-x': 'TimelessX',
  oneinch: '1inch',
  'crypto-com': 'Crypto.com',
  imtoken: 'imToken',
  coin98: 'Coin98',
  haha: 'HaHa',
  bitpay: 'BitPay',
  coinstats: 'CoinStats',
  zengo: 'ZenGo',
  ...SOCIALS
}

/** What the word of a button stands for. */
export type Kind = 'walletConnect' | 'email' | 'social' | 'wallet'

export function kindOf(word: string): Kind {
  if (word === 'walletConnect' || word === 'email') return word
  return Object.hasOwn(SOCIALS, word) ? 'social' : 'wallet'
}

/** Name of a wallet or a login, as its button shows it. */
export function titleOf(word: string): string {
  if (Object.hasOwn(TITLES, word)) return TITLES[word] ?? word
  return word
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join(' ')
}

/** Whether a wallet's name begins with the words of a button: `okx` is "OKX Wallet", and `safe` isn't "SafePal". */
export function isNamed(name: string, word: string): boolean {
  const wanted = plain(titleOf(word)).join('')
  const words = plain(name)
  return words.some((_, index) => words.slice(0, index + 1).join('') === wanted)
}

const plain = (name: string): string[] => name.toLowerCase().match(/[a-z0-9]+/g) ?? []
