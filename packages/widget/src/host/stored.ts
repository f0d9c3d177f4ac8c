import { connectedKeys, recentKeys } from '../generated/constants.ts'

/** What storage says before the core is there: whether the visitor was connected or may be by now, and to which network. */
export interface Remembered {
  readonly connected: boolean
  /** CAIP-2, or `undefined`. */
  readonly network: string | undefined
}

export function remembered(): Remembered {
  const [ours, foreign, code] = connectedKeys.map(read)
  // Once something of ours was written, what another kit left does not count.
  const before = read('@portico/version') === null ? foreign === 'connected' : ours !== null
  // The code of a pairing counts for its time only.
  const until = Number(/"until":(\d+)/.exec(code ?? '')?.[1])
  return { connected: before || until > Date.now(), network: read('@portico/active_network') ?? undefined }
}

/** Whether no wallet was ever chosen here, so that none is shown as a recent one (spec 3.20). */
export function isNew(): boolean {
  return recentKeys.every((key) => read(key) === null)
}

/** Even the name `localStorage` throws where storage is denied. */
function read(key: string): string | null {
  try {
    return window.localStorage.getItem(key)
  } catch {
    return null
  }
}
