//! Types of all text keys, without rendering code: hosts use the keys in `messages`.

import type { accountWords } from './account.ts'
import type { accountsWords } from './accounts.ts'
import type { bitcoinWords } from './bitcoin.ts'
import type { buyWords } from './buy.ts'
import type { deedWords } from './deed.ts'
import type { detailWords } from './detail.ts'
import type { directoryWords } from './directory.ts'
import type { Key } from './en.ts'
import type { lessonWords } from './lesson.ts'
import type { loginWords } from './login.ts'
import type { multiChainWords } from './multichain.ts'
import type { nameWords } from './name.ts'
import type { networkWords } from './networks.ts'
import type { othersWords } from './others.ts'
import type { pairWords } from './pair.ts'
import type { previewWords } from './preview.ts'
import type { receiptWords } from './receipt.ts'
import type { receiveWords } from './receive.ts'
import type { searchWords } from './search.ts'
import type { sendWords } from './send.ts'
import type { siwxWords } from './siwx.ts'
import type { solanaWords } from './solana.ts'
import type { switchWords } from './switch.ts'
import type { tokenWords } from './token.ts'

/** Keys of the texts that lazy views load themselves. */
export type LateKey =
  | keyof typeof accountWords
  | keyof typeof accountsWords
  | keyof typeof bitcoinWords
  | keyof typeof buyWords
  | keyof typeof deedWords
  | keyof typeof detailWords
  | keyof typeof directoryWords
  | keyof typeof networkWords
  | keyof typeof lessonWords
  | keyof typeof loginWords
  | keyof typeof multiChainWords
  | keyof typeof nameWords
  | keyof typeof othersWords
  | keyof typeof pairWords
  | keyof typeof previewWords
  | keyof typeof receiptWords
  | keyof typeof receiveWords
  | keyof typeof searchWords
  | keyof typeof sendWords
  | keyof typeof siwxWords
  | keyof typeof solanaWords
  | keyof typeof switchWords
  | keyof typeof tokenWords

/** Keys of all texts. */
export type AnyKey = Key | LateKey

/** Refuses texts whose file has no line above. */
export type Listed<Own> = keyof Own extends LateKey ? Own : 'text/keys.ts has no line for these texts'

/** Keys available to a view that loads these texts. */
export type KeyWith<Own> = Key | (keyof Own & LateKey)
