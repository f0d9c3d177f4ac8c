/** EIP-1193 provider of a wallet. It is the wallet's own object: viem and ethers accept it directly. */
export interface Eip1193Provider {
  // biome-ignore lint/suspicious/noExplicitAny: the answer is of the method's type, and libraries expect to name it
  request(args: { readonly method: string; readonly params?: any }): Promise<any>
  on?(event: string, listener: (payload: never) => void): unknown
  removeListener?(event: string, listener: (payload: never) => void): unknown
}

/**
 * EIP-1193 provider of a wallet, under the type that hosts of AppKit use: `useAppKitProvider<Provider>('eip155')`. Members that a browser
 * wallet may lack are optional here; the provider of a remote session has all of them.
 */
export interface Provider {
  // biome-ignore lint/suspicious/noExplicitAny: the caller names the type of the answer
  request<T = any>(args: { readonly method: string; readonly params?: any }): Promise<T>
  // biome-ignore lint/suspicious/noExplicitAny: the listener names the type of what it hears
  on<T = any>(event: string, listener: (payload: T) => void): unknown
  // biome-ignore lint/suspicious/noExplicitAny: the listener names the type of what it hears
  removeListener<T = any>(event: string, listener: (payload: T) => void): unknown
  connect?(): Promise<unknown>
  disconnect?(): Promise<void>
  emit?(event: string, payload?: unknown): void
}
