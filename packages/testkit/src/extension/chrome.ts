//! Functions of the browser that the extension uses (https://developer.chrome.com/docs/extensions/reference/api).

export interface Sender {
  /** Origin of the page, as the browser knows it. */
  readonly origin?: string
}

interface Event<Listener> {
  addListener(listener: Listener): void
}

export interface Chrome {
  readonly runtime: {
    sendMessage<T>(message: unknown): Promise<T>
    readonly onMessage: Event<(message: never, sender: Sender, answer: (value: unknown) => void) => boolean>
  }
  readonly windows: {
    create(options: {
      readonly url: string
      readonly type: 'popup'
      readonly width: number
      readonly height: number
    }): Promise<{ readonly id: number }>
    remove(id: number): Promise<void>
    readonly onRemoved: Event<(id: number) => void>
  }
}

declare global {
  var chrome: Chrome
}
