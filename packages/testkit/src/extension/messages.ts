//! Messages between the parts of the extension.

/** Mark of the messages between the page and the extension. */
export const MARK = 'portico-test-extension'

/** What the wallet asks: its kind, and all that it tells about it, as text. */
export interface Asked {
  readonly kind: string
  readonly rows: readonly (readonly [label: string, value: string])[]
}

/** From the page's script to the extension. */
export interface Ask {
  readonly mark: typeof MARK
  readonly ask: number
  readonly asked: Asked
}

/** The visitor's decision, back to the page's script. */
export interface Decided {
  readonly mark: typeof MARK
  readonly decided: number
  readonly approved: boolean
}

/** From the parts of the extension to its service worker. */
export type ToWorker =
  | { readonly type: 'ask'; readonly asked: Asked }
  | { readonly type: 'shown'; readonly id: string }
  | { readonly type: 'decide'; readonly id: string; readonly approved: boolean }

/** Answer to `shown`. */
export interface Shown {
  readonly origin: string
  readonly asked: Asked
}
