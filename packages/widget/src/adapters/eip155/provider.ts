/** A wallet as a page sees it (EIP-1193). It is the wallet's own object: viem and ethers take it as it is. */
export interface Eip1193Provider {
  // biome-ignore lint/suspicious/noExplicitAny: the answer is of the method's type, and libraries expect to name it
  request(args: { readonly method: string; readonly params?: any }): Promise<any>
  on?(event: string, listener: (payload: never) => void): unknown
  removeListener?(event: string, listener: (payload: never) => void): unknown
}

/**
 * The same wallet, in the type that hosts of AppKit name: `useAppKitProvider<Provider>('eip155')`. What a browser wallet need not have is
 * optional here; the provider of a remote session has all of it.
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
