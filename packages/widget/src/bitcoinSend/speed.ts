import type { BitcoinSpeed } from '../generated/core.ts'
import type { bitcoinWords } from '../text/bitcoin.ts'

type Word = keyof typeof bitcoinWords

/** Name and time of each speed, the slowest first. */
export const speeds: readonly (readonly [BitcoinSpeed, name: Word, time: Word])[] = [
  ['slow', 'bitcoinSlow', 'bitcoinSlowTime'],
  ['normal', 'bitcoinNormal', 'bitcoinNormalTime'],
  ['fast', 'bitcoinFast', 'bitcoinFastTime']
]
