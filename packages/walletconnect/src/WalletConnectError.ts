/** Why something that was asked for did not happen: the wallet's own code and words, or one of the protocol's (8000: expired). */
export class WalletConnectError extends Error {
  readonly code: number
  /** Whatever the wallet added. */
  readonly data: unknown

  constructor(code: number, message: string, data: unknown = null) {
    super(message)
    this.name = 'WalletConnectError'
    this.code = code
    this.data = data
  }
}

/** The protocol's codes that a client may answer with. */
export const codes = {
  userRejected: 5000,
  userDisconnected: 6000,
  requestExpired: 8000,
  methodUnsupported: 10001,
  /** Ours: the client was stopped, or started anew after an error of its own. */
  stopped: 1,
  /** Ours: a part of what was asked does not have its form. */
  notUnderstood: 5
} as const
