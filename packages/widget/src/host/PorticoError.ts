/** Error with which a method of the widget fails. */
export class PorticoError extends Error {
  /** Machine-readable reason: `userRejected`, `modalClosed`, `networkNotFound`. */
  readonly reason: string
  /** EIP-1193 or JSON-RPC code, where a wallet or a node returned one. */
  readonly code: number | null

  constructor(reason: string, message: string, code: number | null = null) {
    super(message)
    this.name = 'PorticoError'
    this.reason = reason
    this.code = code
  }
}
