//! A WalletConnect sign client for applications with a sign-in, which do not load the wallet side.

export type { ClientParts, DriverEvent, EventName, EventOf } from './Client.ts'
export type { Records } from './records.ts'
export { SignInClient } from './SignInClient.ts'
export type { OpenSocket, WebSocketLike } from './sockets.ts'
export type * from './types.ts'
export { WalletConnectError } from './WalletConnectError.ts'
