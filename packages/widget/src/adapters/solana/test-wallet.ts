//! Fixture of tests of Solana wallets: the demo wallet, its provider, and transactions encoded by another library.

import { createSolanaWallet, type SolanaWalletOptions } from '@portico/testkit'
import { base58 } from '@scure/base'
import {
  address,
  appendTransactionMessageInstruction,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash
} from '@solana/kit'
import type { ExternalWallet } from '../adapter.ts'
import { SolanaAdapter } from './SolanaAdapter.ts'
import type { SolanaProvider } from './SolanaProvider.ts'

const DEVNET = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'

/** Storage of a new visitor. */
function memory() {
  const entries = new Map<string, string>()
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value)
  }
}

export function demo(options: SolanaWalletOptions = {}) {
  return createSolanaWallet({ approval: 'auto', storage: memory(), ...options })
}

/** Provider of a demo wallet as an adapter makes it, on devnet, with the address of the account in use. */
export function provided(options: SolanaWalletOptions = {}, address?: () => string | undefined) {
  const wallet = demo(options)
  const adapter = new SolanaAdapter({ wallets: [wallet.standard as never] })
  adapter.follow(() => DEVNET, address)
  const mine = adapter.connectors.find(({ name }) => name === wallet.standard.name) as ExternalWallet
  return { wallet, provider: mine.provider as unknown as SolanaProvider }
}

export async function connected(options: SolanaWalletOptions = {}, address?: () => string | undefined) {
  const given = provided(options, address)
  await given.provider.request({ method: 'standard:connect' })
  return given
}

/** Unsigned transaction of one memo. */
export function memo(
  payer: string,
  { version = 0, text = 'hi' }: { version?: 0 | 'legacy'; text?: string } = {}
): Uint8Array {
  const message = pipe(
    createTransactionMessage({ version }),
    (one) => setTransactionMessageFeePayer(address(payer), one),
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
  return Uint8Array.from(getTransactionEncoder().encode(compileTransaction(message)))
}

/** Instructions of a transaction, as another library reads them. */
export function instructionsOf(transaction: Uint8Array) {
  const { messageBytes } = getTransactionDecoder().decode(transaction)
  return decompileTransactionMessage(getCompiledTransactionMessageDecoder().decode(messageBytes)).instructions
}
