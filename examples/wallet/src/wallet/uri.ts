//! Finds the pairing URI in a text that the user pasted or scanned, or in a link.

export type Read =
  | { readonly uri: string; readonly topic: string; readonly expiry: number | null }
  | { readonly fault: string }

const NO_CODE = "This isn't a WalletConnect link. Copy it from the app you want to connect."

/** Finds `wc:…` in a text: bare, in a link (`…/wc?uri=…`), encoded once or more, or in base64. The expiry is not checked here, but by
 *  the client, which tolerates clocks that differ by minutes. */
export function readUri(text: string): Read {
  const trimmed = text.trim()
  if (trimmed === '') return { fault: 'Paste a code first.' }
  const uri = find(trimmed.slice(0, 8192), 4)
  if (uri === null) return { fault: NO_CODE }
  const parts = /^wc:(?:\/\/)?([^@?]*)@(\d+)\??(.*)$/s.exec(uri)
  if (!parts) return { fault: NO_CODE }
  const [, topic = '', version, query] = parts
  if (version === '1')
    return { fault: 'This code uses WalletConnect 1, which no longer works. The app needs an update.' }
  if (version !== '2') return { fault: "This wallet doesn't support this version of WalletConnect." }
  const parameters = new URLSearchParams(query)
  if (!/^[0-9a-f]{64}$/i.test(topic) || !/^[0-9a-f]{64}$/i.test(parameters.get('symKey') ?? '')) {
    return { fault: 'Part of this code is missing. Copy all of it again.' }
  }
  const told = parameters.get('expiryTimestamp')
  const expiry = told !== null && /^\d{1,12}$/.test(told) ? Number(told) : null
  return { uri, topic, expiry }
}

/** Finds the URI in a nested or repeatedly encoded text. Phones and messengers each encode links once more; `depth` is the limit. */
function find(text: string, depth: number): string | null {
  if (/^wc:/i.test(text)) return /%40/.test(text) && !text.includes('@') ? decoded(text) : text.replace(/^wc:/i, 'wc:')
  if (depth === 0) return null
  const inLink = parameterOf(text)
  if (inLink !== null) return find(inLink, depth - 1)
  const plain = decoded(text)
  if (plain !== text) return find(plain, depth - 1)
  const from64 = fromBase64(text)
  return from64 === null ? null : find(from64, 0)
}

/** Parameter `uri` of a link. If it is not encoded, it extends to the end of the link, because it contains `&` itself. */
function parameterOf(text: string): string | null {
  const raw = /[?&]uri=(.*)$/s.exec(text)?.[1]
  if (raw === undefined) return null
  return /^wc:/i.test(raw) && raw.includes('@') ? raw : decoded(raw.split('&')[0] ?? '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function fromBase64(text: string): string | null {
  if (!/^[\w+/-]{40,}={0,2}$/.test(text)) return null
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return null
  }
}

/** Query of this page's URL if an app put a URI into it (`?uri=`, `/wc?uri=`), for `readUri`; else null. Some apps do not encode it. */
export function linkIn(address: string): string | null {
  const { search, searchParams } = new URL(address)
  return searchParams.has('uri') ? search : null
}
