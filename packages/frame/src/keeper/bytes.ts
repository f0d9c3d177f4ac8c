//! Bytes as base64url without padding (RFC 4648), as the wire has them.

export function encode(bytes: ArrayBuffer | Uint8Array): string {
  const letters = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('')
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

export function decode(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0))
}

export function encodeText(text: string): string {
  return encode(new TextEncoder().encode(text))
}

export async function sha256(text: string): Promise<string> {
  return encode(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}

/** Random bytes, encoded. */
export function random(length: number): string {
  return encode(crypto.getRandomValues(new Uint8Array(length)))
}
