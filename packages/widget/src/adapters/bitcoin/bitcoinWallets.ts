//! Code that asks Bitcoin wallets. The adapter fetches it when the visitor reaches the first of them.

export { BitcoinProvider } from './BitcoinProvider.ts'
export { LeatherWay, SatsConnectWay } from './RequestWay.ts'
export { StandardWay } from './StandardWay.ts'
export { BY_CHAIN, BY_NETWORK, MAIN_ALONE, UnisatWay } from './UnisatWay.ts'
