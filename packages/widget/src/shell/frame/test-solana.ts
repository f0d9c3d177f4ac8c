//! Fixture of tests of the embedded wallet on Solana: a wallet whose frame signs what it is given, and independent libraries that verify.

import { ed25519 } from '@noble/curves/ed25519'
import { base58, base64 } from '@scure/base'
import {
  type Address,
  address,
  appendTransactionMessageInstruction,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  getPublicKeyFromAddress,
  getTransactionDecoder,
  getTransactionEncoder,
  pipe,
  type SignatureBytes,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  type TransactionModifyingSigner,
  type TransactionSendingSigner,
  verifySignature
} from '@solana/kit'
import type {
  StandardConnectFeature,
  StandardDisconnectFeature,
  StandardEventsFeature,
  WalletAccount
} from '@wallet-standard/core'
import { expect, vi } from 'vitest'
import { EmbeddedSolanaWallet } from './EmbeddedSolanaWallet.ts'

export const MAINNET = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
export const DEVNET = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
export const OWN = 'solana:11111111111111111111111111111111'
export const OTHER_OWN = 'solana:22222222222222222222222222222222'

const SECRET = new Uint8Array(32).fill(5)
export const ADDRESS = base58.encode(ed25519.getPublicKey(SECRET))
export const STRANGER = base58.encode(ed25519.getPublicKey(new Uint8Array(32).fill(6)))

/** Parameters of the methods, of which each has some. */
interface Params {
  readonly message: string
  readonly transaction: string
  readonly transactions: readonly string[]
}

/** Answers as the frame of a visitor who approves everything. */
export async function sign(method: string, params: Params): Promise<unknown> {
  const signed = (text: string) => {
    const bytes = base64.decode(text)
    bytes.set(ed25519.sign(bytes.subarray(65), SECRET), 1)
    return bytes
  }
  const id = (bytes: Uint8Array) => base58.encode(bytes.subarray(1, 65))
  switch (method) {
    case 'solana_signMessage':
      return { signature: base58.encode(ed25519.sign(base58.decode(params.message), SECRET)) }
    case 'solana_signTransaction': {
      const bytes = signed(params.transaction)
      return { signature: id(bytes), transaction: base64.encode(bytes) }
    }
    case 'solana_signAllTransactions':
      return { transactions: params.transactions.map((one) => base64.encode(signed(one))) }
    default:
      return { signature: id(signed(params.transaction)) }
  }
}

/** A wallet of a page with these networks, and what it asked of the frame. */
export function made(
  networks: readonly string[] = [DEVNET, MAINNET],
  frame: (method: string, params: Params) => unknown = sign
) {
  const request = vi.fn(async (method: string, params: unknown, _network?: string) => frame(method, params as Params))
  const find = vi.fn(async (_network?: string) => ADDRESS)
  const wallet = new EmbeddedSolanaWallet({ request, address: find })
  wallet.serve(networks)
  const features = wallet.features as StandardConnectFeature & StandardDisconnectFeature & StandardEventsFeature
  // biome-ignore lint/suspicious/noExplicitAny: a caller may give anything
  type Run = (...inputs: any[]) => Promise<any[]>
  const run = (name: string, method: string) => (wallet.features[name] as Record<string, Run>)[method] as Run
  return {
    wallet,
    request,
    find,
    connect: async (silent?: boolean) =>
      (await features['standard:connect'].connect(silent === undefined ? undefined : { silent })).accounts,
    disconnect: features['standard:disconnect'].disconnect,
    on: features['standard:events'].on,
    signMessage: run('solana:signMessage', 'signMessage'),
    signTransaction: run('solana:signTransaction', 'signTransaction'),
    send: run('solana:signAndSendTransaction', 'signAndSendTransaction')
  }
}

export async function connected(...given: Parameters<typeof made>) {
  const one = made(...given)
  const [account] = await one.connect()
  return { ...one, account: account as WalletAccount }
}

/** Message of one memo in the library's own form; its signer pays. */
export function memo(signer: TransactionModifyingSigner | TransactionSendingSigner, text = 'hi') {
  return pipe(
    createTransactionMessage({ version: 0 }),
    (one) => setTransactionMessageFeePayerSigner(signer, one),
    (one) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash(base58.encode(new Uint8Array(32).fill(3))), lastValidBlockHeight: 1n },
        one
      ),
    (one) =>
      appendTransactionMessageInstruction(
        {
          programAddress: address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
          data: new TextEncoder().encode(text)
        },
        one
      )
  )
}

/** Unsigned bytes of a memo that the account pays for. */
export function unsigned(text?: string): Uint8Array {
  const signer = { address: address(ADDRESS), modifyAndSignTransactions: async () => [] as never[] }
  return Uint8Array.from(getTransactionEncoder().encode(compileTransaction(memo(signer, text))))
}

export const verify = async (signature: Uint8Array | undefined, bytes: Uint8Array) =>
  verifySignature(await getPublicKeyFromAddress(address(ADDRESS)), signature as SignatureBytes, bytes)

/** Whether the bytes are those of `asked` with a valid signature of the account. */
export async function isSigned(bytes: Uint8Array, asked: Uint8Array): Promise<boolean> {
  const { messageBytes, signatures } = getTransactionDecoder().decode(bytes)
  const { messageBytes: before } = getTransactionDecoder().decode(asked)
  expect([...messageBytes]).toEqual([...before])
  return verify(signatures[ADDRESS as Address] ?? undefined, messageBytes as unknown as Uint8Array)
}
