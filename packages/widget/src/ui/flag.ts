/** Distance from a letter to its regional indicator; two of these are a flag. */
const INDICATOR = 0x1f1e6 - 'A'.charCodeAt(0)

const flag = (country: string) =>
  country.replace(/./g, (letter) => String.fromCodePoint(INDICATOR + letter.charCodeAt(0)))

/** Whether the system draws flags: without them the two indicators stand side by side, as letters or as empty boxes. */
export function drawsFlags(width: (text: string) => number): boolean {
  return width(flag('DE')) < 1.5 * width(flag('D'))
}

/** Measured once, with the first country. */
let measured: boolean | undefined

/** Flag of a country by its code (ISO 3166); the code itself where the system draws no flags, or the code is none. */
export function flagOf(country: string, draws = here()): string {
  return draws && /^[A-Z]{2}$/.test(country) ? flag(country) : country
}

function here(): boolean {
  if (measured !== undefined) return measured
  const drawn = typeof OffscreenCanvas === 'undefined' ? null : new OffscreenCanvas(1, 1).getContext('2d')
  measured = drawn !== null && drawsFlags((text) => drawn.measureText(text).width)
  return measured
}
