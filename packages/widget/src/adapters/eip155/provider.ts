/** A wallet as a page sees it (EIP-1193). It is the wallet's own object: viem and ethers take it as it is. */
export interface Eip1193Provider {
  // biome-ignore lint/suspicious/noExplicitAny: the answer is of the method's type, and libraries expect to name it
  request(args: { readonly method: string; readonly params?: any }): Promise<any>
  on?(event: string, listener: (payload: never) => void): unknown
  removeListener?(event: string, listener: (payload: never) => void): unknown
}
