//! Entry point of Bitcoin: `@portico/widget/bitcoin`.

export { BitcoinAdapter, type BitcoinAdapterOptions } from './adapters/bitcoin/BitcoinAdapter.ts'
export type {
  AccountAddress,
  Provider,
  SendTransferParams,
  SignMessageParams,
  SignPSBTParams,
  SignPSBTResponse
} from './adapters/bitcoin/BitcoinProvider.ts'
export type { Utxo, UtxoSource } from './adapters/bitcoin/balance.ts'
export type { StandardAccount, StandardWallet } from './adapters/standard.ts'
