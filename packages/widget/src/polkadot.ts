//! Entry point of Polkadot: `@portico/widget/polkadot`.

export { PolkadotAdapter, type PolkadotAdapterOptions } from './adapters/polkadot/PolkadotAdapter.ts'
export type {
  Account,
  Provider,
  SignerResult,
  SignMessageParams,
  SignPayloadParams,
  SignRawParams
} from './adapters/polkadot/PolkadotProvider.ts'
