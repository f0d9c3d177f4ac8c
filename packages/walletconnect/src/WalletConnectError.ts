/** Error of a call: the wallet's own code and message, or a code of the protocol (8000: expired). */
export class WalletConnectError extends Error {
  readonly code: number
  /** Additional data from the wallet. */
  readonly data: unknown

  constructor(code: number, message: string, data: unknown = null) {
    super(message)
    this.name = 'WalletConnectError'
    this.code = code
    this.data = data
  }
}

/** Error codes of the protocol that a client may use. */
export const codes = {
  userRejected: 5000,
  userDisconnected: 6000,
  requestExpired: 8000,
  methodUnsupported: 10001,
  /** Own code: the client was stopped, or restarted after an internal error. */
  stopped: 1,
  /** Own code: a part of the input is malformed. */
  notUnderstood: 5
} as const
