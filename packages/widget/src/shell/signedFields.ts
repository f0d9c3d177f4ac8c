//! Fields of a message that a wallet signs while it connects, and the texts that it may write of them.

import { textOf } from '../adapters/siwx/InformalMessenger.ts'
import type { SIWXMessageData } from '../host/siwx.ts'

/** Fields of a message, which may have functions besides. */
const FIELDS = [
  'domain',
  'uri',
  'version',
  'nonce',
  'statement',
  'resources',
  'requestId',
  'issuedAt',
  'expirationTime',
  'notBefore'
] as const

export type Fields = Pick<SIWXMessageData, (typeof FIELDS)[number]>

export function fieldsOf(message: SIWXMessageData): Fields {
  const named = FIELDS.map((name) => [name, message[name]] as const)
  return Object.fromEntries(named.filter(([, value]) => value !== undefined)) as Fields
}

/** The texts that the fields have: without a statement, wallets write one empty line where CAIP-122 has two. */
export function textsOf(data: SIWXMessageData): string[] {
  const text = textOf(data, false)
  return data.statement === undefined ? [text, text.replace('\n\n\n', '\n\n')] : [text]
}
