/** Why a call of the host failed. */
export class PorticoError extends Error {
  /** A word to branch on: `userRejected`, `modalClosed`, `networkNotFound`. */
  readonly reason: string
  /** The EIP-1193 or JSON-RPC code, where a wallet or a node gave one. */
  readonly code: number | null

  constructor(reason: string, message: string, code: number | null = null) {
    super(message)
    this.name = 'PorticoError'
    this.reason = reason
    this.code = code
  }
}
