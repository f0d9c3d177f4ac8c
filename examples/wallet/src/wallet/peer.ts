//! Application that sends requests, as it describes itself. Its data is untrusted.

import type { Metadata, Verification } from '@portico/walletconnect'
import { oneLine } from './text.ts'

export interface Peer {
  readonly name: string
  /** Host and port in Punycode (`xn--…`), which exposes look-alike letters; empty if the URL is invalid. */
  readonly host: string
  /** Icon that can be shown without a request to a foreign server. */
  readonly icon: string | null
  readonly standing: Standing
}

export interface Standing {
  /** `matches`: the relay confirms the address, or the page that opened this wallet has it. `danger`: it comes from another address. */
  readonly level: 'matches' | 'unknown' | 'warning' | 'danger'
  readonly words: string
}

/** `verification` is that of a request; a session by itself has none. */
export function readPeer(
  metadata: Metadata,
  page: { origin: string; referrer: string },
  verification: Verification = { status: 'unverified' }
): Peer {
  const url = parse(metadata.url)
  const host = url?.host ?? ''
  return {
    name: oneLine(metadata.name) || 'Unnamed app',
    host,
    icon: iconOf(metadata, page.origin),
    standing: standingOf(url, parse(page.referrer), page.origin, verification)
  }
}

function standingOf(url: URL | null, from: URL | null, own: string, verification: Verification): Standing {
  if (verification.status === 'mismatch') {
    const there = parse(verification.origin)?.host ?? verification.origin
    const claim = url?.host ? `but the app says it's ${url.host}` : "and the app doesn't name its address"
    return { level: 'danger', words: `This comes from ${there}, ${claim}. Probably a scam. Decline it.` }
  }
  if (!url || !/^https?:$/.test(url.protocol)) return warning('It gives no web address, so no one can tell who it is.')
  // A referrer within the wallet's own site proves nothing about another site.
  if (from && from.origin !== own && from.host !== url.host) {
    return warning(`You came from ${from.host}, but it says it's ${url.host}.`)
  }
  if (url.protocol === 'http:' && !isThisMachine(url.hostname)) {
    return warning(`${url.host} isn't encrypted. Others can read and change what it shows.`)
  }
  if (url.hostname.includes('xn--')) return warning('Its address has lookalike letters. Check it twice.')
  if (from && from.host === url.host && from.origin !== own) {
    return { level: 'matches', words: 'This is the page you came from.' }
  }
  if (verification.status === 'verified') return { level: 'matches', words: `The relay confirms this is ${url.host}.` }
  return {
    level: 'unknown',
    words: `Unverified: no one confirms this is ${url.host}. Continue only if you asked for it.`
  }
}

const warning = (words: string): Standing => ({ level: 'warning', words })

/** Icon that needs no request to a foreign server, which would learn the user's IP address and time: inline or of our own origin. */
function iconOf(metadata: Metadata, own: string): string | null {
  const icons = Array.isArray(metadata.icons) ? metadata.icons : []
  const shown = icons.find((icon) => {
    if (typeof icon !== 'string' || icon.length > 100_000) return false
    if (/^data:image\/(png|jpeg|webp|gif|svg\+xml)[;,]/i.test(icon)) return true
    return parse(icon, own)?.origin === own
  })
  return shown ?? null
}

function parse(text: unknown, base?: string): URL | null {
  if (typeof text !== 'string' || text.length > 100_000) return null
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

export const isThisMachine = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1' || hostname === '[::1]'
