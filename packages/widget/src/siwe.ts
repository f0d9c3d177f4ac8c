//! Entry point of the sign-in for EVM accounts: `@portico/widget/siwe`.

export {
  createSIWEConfig,
  type FormatMessageArgs,
  formatMessage,
  getAddressFromMessage,
  getChainIdFromMessage,
  getDidAddress,
  getDidChainId,
  type VerifySignatureArgs,
  verifySignature
} from './adapters/siwx/siwe.ts'
export type { SIWEConfig, SIWECreateMessageArgs, SIWEMethods, SIWEOptions } from './host/siwx.ts'
export { mapToSIWX } from './shell/siwe.ts'
