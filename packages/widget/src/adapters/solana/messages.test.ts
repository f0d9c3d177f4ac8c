//! Messages that the core builds, read by `@solana/kit`: the same accounts, in the same roles, and the same amounts.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { base64 } from '@scure/base'
import {
  AccountRole,
  type Address,
  address,
  decompileTransactionMessage,
  getAddressEncoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getProgramDerivedAddress,
  getTransactionDecoder,
  getU32Encoder,
  getU64Encoder
} from '@solana/kit'
import { describe, expect, it } from 'vitest'

const file = join(import.meta.dirname, '../../../../../fixtures/solana/messages.json')
const vectors: Readonly<Record<'coin' | 'token' | 'tokenWithFee', string>> = JSON.parse(readFileSync(file, 'utf8'))

const SYSTEM = address('11111111111111111111111111111111')
const BUDGET = address('ComputeBudget111111111111111111111111111111')
const TOKEN = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
const TOKEN_2022 = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
const ASSOCIATED = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
const MINT = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
/** Addresses of the secret keys of 32 bytes 7 and 8. */
const SENDER = address('GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB')
const RECEIVER = address('2KW2XRd9kwqet15Aha2oK3tYvd3nWbTFH1MBiRAv1BE1')

const u64 = (value: bigint) => getU64Encoder().encode(value)

/** Message of a vector, as the library reads it. */
function read(name: keyof typeof vectors) {
  const transaction = getTransactionDecoder().decode(base64.decode(vectors[name]))
  expect(Object.keys(transaction.signatures)).toEqual([SENDER])
  const compiled = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
  // The library writes the same bytes.
  expect(getCompiledTransactionMessageEncoder().encode(compiled)).toEqual(transaction.messageBytes)
  expect(compiled.version).toBe('legacy')
  const { feePayer, instructions } = decompileTransactionMessage(compiled)
  expect(feePayer.address).toBe(SENDER)
  return instructions.map(({ programAddress, accounts = [], data = new Uint8Array() }) => ({
    program: programAddress,
    accounts: accounts.map(({ address, role }) => [address, role] as const),
    data: Uint8Array.from(data)
  }))
}

async function accountOf(owner: Address, program: Address): Promise<Address> {
  const seeds = [owner, program, MINT].map((seed) => getAddressEncoder().encode(seed))
  return (await getProgramDerivedAddress({ programAddress: ASSOCIATED, seeds }))[0]
}

const budget = (units: number) => [
  { program: BUDGET, accounts: [], data: Uint8Array.of(2, ...getU32Encoder().encode(units)) },
  { program: BUDGET, accounts: [], data: Uint8Array.of(3, ...u64(20_000n)) }
]

async function ofToken(program: Address, data: Uint8Array) {
  const [source, target] = [await accountOf(SENDER, program), await accountOf(RECEIVER, program)]
  const create = {
    program: ASSOCIATED,
    accounts: [
      [SENDER, AccountRole.WRITABLE_SIGNER],
      [target, AccountRole.WRITABLE],
      [RECEIVER, AccountRole.READONLY],
      [MINT, AccountRole.READONLY],
      [SYSTEM, AccountRole.READONLY],
      [program, AccountRole.READONLY]
    ],
    data: Uint8Array.of(1)
  }
  const accounts = [
    [source, AccountRole.WRITABLE],
    [MINT, AccountRole.READONLY],
    [target, AccountRole.WRITABLE],
    [SENDER, AccountRole.WRITABLE_SIGNER]
  ]
  return [...budget(77_000), create, { program, accounts, data }]
}

describe('messages of payments, read by another implementation', () => {
  it('coins go from the payer to the receiver', () => {
    const accounts = [
      [SENDER, AccountRole.WRITABLE_SIGNER],
      [RECEIVER, AccountRole.WRITABLE]
    ]
    const data = Uint8Array.of(2, 0, 0, 0, ...u64(500_000_000n))
    expect(read('coin')).toEqual([...budget(41_500), { program: SYSTEM, accounts, data }])
  })

  it('a token goes to the token account of the receiver, which is made before', async () => {
    const data = Uint8Array.of(12, ...u64(1_500_000n), 6)
    expect(read('token')).toEqual(await ofToken(TOKEN, data))
  })

  it('a token with a fee names the fee', async () => {
    const data = Uint8Array.of(26, 1, ...u64(1_500_000n), 6, ...u64(30_000n))
    expect(read('tokenWithFee')).toEqual(await ofToken(TOKEN_2022, data))
  })
})
