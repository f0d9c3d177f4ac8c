//! Texts that others wrote, made fit to be shown: nothing in them may pass for a word of this wallet.

/** Controls, marks that turn the direction of what follows, and letters that cannot be seen. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu

/** One line of at most `most` letters, without what cannot be seen. */
export function oneLine(text: unknown, most = 60): string {
  if (typeof text !== 'string') return ''
  // Looked at no further than it can be shown, however long it is.
  const seen = text
    .slice(0, most * 8)
    .replace(/\s+/gu, ' ')
    .replace(UNSEEN, '')
    .trim()
  const letters = [...seen]
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : seen
}

/** All of a text, with its lines; what cannot be seen is named, for it is signed all the same. */
export function wholeText(text: string): string {
  return text.replace(UNSEEN, (letter) => {
    if (letter === '\n' || letter === '\t') return letter
    if (letter === '\r') return ''
    const point = letter.codePointAt(0) ?? 0
    return `⟨U+${point.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
}

/** Whether a text has what `wholeText` names. */
export function hides(text: string): boolean {
  return wholeText(text) !== text.replaceAll('\r', '')
}

/** The text of bytes, or nothing where they are none. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/** `0xf39F…2266`: both ends, for the middle is what nobody reads. */
export function short(address: string): string {
  return address.length > 14 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address
}

/** `4:05` */
export function countdown(seconds: number): string {
  const left = Math.max(0, Math.floor(seconds))
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
}
