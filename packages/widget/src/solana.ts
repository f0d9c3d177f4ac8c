//! Entry point of Solana: `@portico/widget/solana`.

export {
  SolanaAdapter,
  type SolanaAdapterOptions,
  type SolanaCommitment,
  type SolanaConnectionSettings
} from './adapters/solana/SolanaAdapter.ts'
export type { Provider, SendOptions, SolanaConnection, SolanaPublicKey } from './adapters/solana/SolanaProvider.ts'
export type { SerializableTransaction, SolanaTransaction } from './adapters/solana/transaction.ts'
export type { StandardAccount, StandardWallet } from './adapters/standard.ts'
