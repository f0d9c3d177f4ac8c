//! A WalletConnect sign client, for wallets and for applications.

export { fetchAttestationKey } from './attestation.ts'
export type { ClientParts, DriverEvent, EventName, EventOf } from './Client.ts'
export type { Records } from './records.ts'
export { SignClient } from './SignClient.ts'
export type { OpenSocket, WebSocketLike } from './sockets.ts'
export type * from './types.ts'
export { WalletConnectError } from './WalletConnectError.ts'
