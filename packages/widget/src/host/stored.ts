import { connectedKeys, recentKeys } from '../generated/constants.ts'

/** What storage says before the core is there: whether the visitor was connected, and to which network. */
export interface Remembered {
  readonly connected: boolean
  /** CAIP-2, or `undefined`. */
  readonly network: string | undefined
}

export function remembered(): Remembered {
  const [ours, foreign] = connectedKeys.map(read)
  // Once something of ours was written, what another kit left does not count.
  const connected = read('@portico/version') === null ? foreign === 'connected' : ours !== null
  return { connected, network: read('@portico/active_network') ?? undefined }
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
