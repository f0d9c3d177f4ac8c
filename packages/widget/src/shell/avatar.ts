const SVG = 'http://www.w3.org/2000/svg'

/** Avatar of an address in the colours of the one in the modal. It uses attributes instead of styles, so that a strict CSP allows it. */
export function drawAvatar(address: string): Element {
  let seed = 0x811c9dc5
  for (const letter of address.toLowerCase()) seed = Math.imul(seed ^ letter.charCodeAt(0), 0x01000193) >>> 0
  const hue = (seed & 0xff) % 255
  const picture = document.createElementNS(SVG, 'svg')
  for (const [name, value] of [
    ['class', 'picture'],
    ['viewBox', '0 0 64 64'],
    ['aria-hidden', 'true']
  ] as const) {
    picture.setAttribute(name, value)
  }
  const spots = [
    [32, 46, `${hue * 1.41} 78% 56%`],
    [52, 30, `${hue * 1.41 - 40} 85% 48%`],
    [14, 20, `${hue * 1.41 + 40} 95% 78%`]
  ] as const
  for (const [at, r, colour] of spots) {
    const spot = document.createElementNS(SVG, 'circle')
    for (const [name, value] of Object.entries({ cx: at, cy: at, r, fill: `hsl(${colour})` })) {
      spot.setAttribute(name, String(value))
    }
    picture.append(spot)
  }
  return picture
}
