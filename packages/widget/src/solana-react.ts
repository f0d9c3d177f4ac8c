//! Entry point of the hook for pages with `@solana/web3.js` 1: `@portico/widget/solana/react`.

export { type SolanaConnectionState, useAppKitConnection } from './host/solanaConnection.ts'
