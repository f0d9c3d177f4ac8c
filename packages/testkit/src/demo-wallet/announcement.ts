//! Wallet discovery: EIP-6963 announcements, and `window.ethereum` for pages that predate them.

import type { Provider } from '../provider.ts'

/** Wallet metadata in an announcement (EIP-6963). */
export interface ProviderInfo {
  readonly uuid: string
  readonly name: string
  readonly icon: string
  readonly rdns: string
}

export interface Announcement {
  /** Announces the wallet now and again whenever a page requests providers. */
  announce(): void
  /** Stops responding to provider requests and removes the wallet's `window.ethereum`. */
  withdraw(): void
}

export function announcement(info: ProviderInfo, provider: Provider, legacy: boolean): Announcement {
  const say = () => {
    const detail = Object.freeze({ info, provider })
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  }
  let installed = false
  return {
    announce() {
      if (!installed) window.addEventListener('eip6963:requestProvider', say)
      if (!installed && legacy) inject(provider)
      installed = true
      say()
    },
    withdraw() {
      window.removeEventListener('eip6963:requestProvider', say)
      if (legacy && injected().ethereum === provider) Reflect.deleteProperty(globalThis, 'ethereum')
      installed = false
    }
  }
}

/** Sets `window.ethereum` only when it is free, as well-behaved extensions do. */
function inject(provider: Provider): void {
  if (injected().ethereum !== undefined) return
  Object.defineProperty(globalThis, 'ethereum', { value: provider, configurable: true, writable: true })
  window.dispatchEvent(new Event('ethereum#initialized'))
}

function injected(): { ethereum?: unknown } {
  return globalThis as { ethereum?: unknown }
}

/** UUID version 4. `crypto.randomUUID` is missing outside secure contexts. */
export function uuidV4(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte
    return marked.toString(16).padStart(2, '0')
  }).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
