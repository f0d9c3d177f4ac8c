//! Distinguishes a wallet that waits for its user from one that is gone, by a ping.

/** Time without a response, in milliseconds, after which the wallet is pinged. */
const PATIENCE = 20_000

export interface SilenceParts {
  /** Whether the session's relay is connected; otherwise the wallet's state cannot be known. */
  reached(): boolean
  /** Pings the wallet; rejects if there is no response within 30 s. */
  ping(): Promise<void>
  /** Called when the wallet did not respond to the ping. */
  gone(): void
}

/** Pings a silent wallet once; one response is enough. Returns a function that ends the watch. */
export function watchSilence({ reached, ping, gone }: SilenceParts): () => void {
  let watching = true
  let timer: ReturnType<typeof setTimeout>
  const wait = () => {
    timer = setTimeout(ask, PATIENCE)
  }
  const ask = async () => {
    if (!reached()) return wait()
    try {
      await ping()
    } catch {
      if (!watching) return
      // The relay connection broke meanwhile: the wallet may never have received the ping.
      if (reached()) gone()
      else wait()
    }
  }
  wait()
  return () => {
    watching = false
    clearTimeout(timer)
  }
}
