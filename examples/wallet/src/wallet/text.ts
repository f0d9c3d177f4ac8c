//! Sanitises untrusted texts for display, so that they cannot imitate the wallet's own texts.

/** Control characters, direction marks and invisible letters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu

/** One line of at most `most` letters, without invisible characters. */
export function oneLine(text: unknown, most = 60): string {
  if (typeof text !== 'string') return ''
  // Only the beginning is processed, because the text may be very long.
  const seen = text
    .slice(0, most * 8)
    .replace(/\s+/gu, ' ')
    .replace(UNSEEN, '')
    .trim()
  const letters = [...seen]
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : seen
}

/** Complete text with its lines. Invisible characters are shown by name, because they are signed too. */
export function wholeText(text: string): string {
  return text.replace(UNSEEN, (letter) => {
    if (letter === '\n' || letter === '\t') return letter
    if (letter === '\r') return ''
    const point = letter.codePointAt(0) ?? 0
    return `⟨U+${point.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
}

/** Whether a text has invisible characters. */
export function hides(text: string): boolean {
  return wholeText(text) !== text.replaceAll('\r', '')
}

/** UTF-8 text of bytes; null if they are not valid UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Remaining time in the form `4:05`. */
export function countdown(seconds: number): string {
  const left = Math.max(0, Math.floor(seconds))
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
}
