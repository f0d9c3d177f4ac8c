import { connectedKeys, recentKeys, signOutKeys } from '../generated/constants.ts'

/** State in storage before the core has loaded: whether the visitor was connected or may be by now, and the network. */
export interface Remembered {
  readonly connected: boolean
  /** Network as CAIP-2 id, or `undefined`. */
  readonly network: string | undefined
}

export function remembered(): Remembered {
  const [ours, foreign, code] = connectedKeys.map(read)
  // Data of another kit counts only until the widget has written its own.
  const before = read('@portico/version') === null ? foreign === 'connected' : ours !== null
  // A stored pairing counts until it expires.
  const until = Number(/"until":(\d+)/.exec(code ?? '')?.[1])
  return { connected: before || until > Date.now(), network: read('@portico/active_network') ?? undefined }
}

/** Whether no wallet was ever chosen here, so that none is listed as recent (spec 3.20). */
export function isNew(): boolean {
  return recentKeys.every((key) => read(key) === null)
}

/** Whether an earlier page could not tell the site that a session has ended. */
export function signsOut(): boolean {
  try {
    return Object.keys(window.localStorage).some((key) => key.startsWith(signOutKeys))
  } catch {
    return false
  }
}

/** Reading the property `localStorage` itself throws where storage is denied. */
function read(key: string): string | null {
  try {
    return window.localStorage.getItem(key)
  } catch {
    return null
  }
}
