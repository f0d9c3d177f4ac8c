/** Arguments of `request` (EIP-1193). */
export interface RequestArguments {
  readonly method: string
  readonly params?: readonly unknown[] | object | undefined
}

/** Event names of EIP-1193. */
export type ProviderEvent = 'connect' | 'disconnect' | 'chainChanged' | 'accountsChanged' | 'message'

/** Listener of any event; `never` lets each caller name the payload type that it expects. */
export type Listener = (payload: never) => void

/** EIP-1193 provider, as a page sees it. */
export interface Provider {
  request(args: RequestArguments): Promise<unknown>
  on(event: ProviderEvent, listener: Listener): Provider
  removeListener(event: ProviderEvent, listener: Listener): Provider
}

/** Codes of EIP-1193 and EIP-1474; the code for a pending request is common practice. */
export const RPC_ERROR = {
  invalidParams: -32602,
  internal: -32603,
  alreadyPending: -32002,
  userRejected: 4001,
  unauthorized: 4100,
  unsupportedMethod: 4200,
  disconnected: 4900,
  unknownChain: 4902
} as const

/** Error that a provider rejects with (EIP-1193). */
export class ProviderRpcError extends Error {
  readonly code: number
  readonly data?: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.name = 'ProviderRpcError'
    this.code = code
    if (data !== undefined) this.data = data
  }
}

export function invalidParams(message: string): ProviderRpcError {
  return new ProviderRpcError(RPC_ERROR.invalidParams, message)
}

export function userRejected(): ProviderRpcError {
  return new ProviderRpcError(RPC_ERROR.userRejected, 'The user rejected the request.')
}

export function unsupportedMethod(method: string): ProviderRpcError {
  return new ProviderRpcError(RPC_ERROR.unsupportedMethod, `The wallet does not support the method "${method}".`)
}
