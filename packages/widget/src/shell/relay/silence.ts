//! A wallet that does not answer may wait for its person, or be gone for good: a ping tells the one from the other.

/** Milliseconds without an answer after which the wallet is asked whether it is there. */
const PATIENCE = 20_000

export interface SilenceParts {
  /** Whether the session's relay answers: over one that does not, nothing can be known of the wallet. */
  reached(): boolean
  /** Rejects where the wallet does not say within 30 s that it is there. */
  ping(): Promise<void>
  /** The wallet does not say that it is there. */
  gone(): void
}

/** Asks a silent wallet once whether it is there, and is content with a yes. Returns what ends the watch. */
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
      // The line broke meanwhile: the wallet may never have heard the question.
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
