//! The built module of the password against a server of its own protocol over other libraries.

import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import initialise, { command } from '../../wasm/password.js'
import { expectedOf, login, opaqueServer, registration } from './opaque.ts'

/** Parameters of `crates/password`: one that changes locks out all who have a password. */
const SLOW = { memory: 32 * 1024, rounds: 3 }
const CONTEXT = 'portico password 1'

const encoded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const decoded = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'base64url'))
const seed = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const ask = (fields: object) => JSON.parse(command(JSON.stringify(fields)))
const begun = (type: 'choose' | 'try', password: string, byte: number): Uint8Array =>
  decoded(ask({ type, password, random: encoded(seed(byte)) }).request)
const answered = (response: Uint8Array) => ask({ type: 'answered', response: encoded(response) })

beforeAll(async () => {
  const module = await readFile(new URL('../../wasm/password_bg.wasm', import.meta.url))
  await initialise({ module_or_path: module })
})

// A test each: Argon2id in plain JavaScript takes three seconds.
test.each(['correct horse battery', 'كلمة مرور طويلة', '🔑'.repeat(60)])(
  'record and export key of "%s" are those of RFC 9807, and a server over other libraries lets the same password in alone',
  (password) => {
    const server = opaqueServer(seed(1))
    const set = answered(registration(server, begun('choose', password, 10)))
    const record = decoded(set.record)
    const expected = expectedOf(server, password, SLOW, record.slice(96, 128))
    expect(encoded(record)).toBe(encoded(expected.record))
    expect(set.key).toBe(encoded(expected.exportKey))

    const response = login(server, record, CONTEXT, begun('try', password, 20), seed(30))
    expect(answered(response)).toEqual({ type: 'opened', key: set.key, record: null })
    const wrong = login(server, record, CONTEXT, begun('try', `${password} `, 20), seed(30))
    expect(answered(wrong)).toEqual({ type: 'refused', reason: 'wrong' })
  }
)

test('a server of another context, or with another key, is refused', () => {
  const server = opaqueServer(seed(1))
  const password = 'correct horse battery'
  const { record } = answered(registration(server, begun('choose', password, 2)))
  for (const [other, context] of [
    [server, 'portico password 2'],
    [opaqueServer(seed(3)), CONTEXT],
    [{ ...server, secret: server.secret + 1n }, CONTEXT]
  ] as const) {
    const response = login(other, decoded(record), context, begun('try', password, 4), seed(5))
    expect(answered(response).type).toBe('refused')
  }
})
