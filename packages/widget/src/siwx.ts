//! Entry point of the sign-in: `@portico/widget/siwx`.

export { BIP122Verifier } from './adapters/siwx/BIP122Verifier.ts'
export {
  DefaultSIWX,
  type DefaultSIWXOptions,
  type SIWXSigner,
  type SIWXVerifier
} from './adapters/siwx/DefaultSIWX.ts'
export { EIP155Verifier, type EIP155VerifierOptions } from './adapters/siwx/EIP155Verifier.ts'
export {
  InformalMessenger,
  type InformalMessengerOptions,
  type SIWXMessenger
} from './adapters/siwx/InformalMessenger.ts'
export { LocalStorage, type SIWXStorage } from './adapters/siwx/LocalStorage.ts'
export { PolkadotVerifier } from './adapters/siwx/PolkadotVerifier.ts'
export {
  ServerSIWX,
  type ServerSIWXAccount,
  ServerSIWXError,
  type ServerSIWXOptions,
  type SessionListener
} from './adapters/siwx/ServerSIWX.ts'
export { SolanaVerifier } from './adapters/siwx/SolanaVerifier.ts'
export type {
  SIWXConfig,
  SIWXMessage,
  SIWXMessageData,
  SIWXMessageInput,
  SIWXSession
} from './host/siwx.ts'
