const SVG = 'http://www.w3.org/2000/svg'

/** A picture of an address: its first digits choose the colours. Attributes, not styles, so that a strict policy draws it. */
export function drawAvatar(address: string): Element {
  const hue = (from: number) => (Number.parseInt(address.replace(/^0x/, '').slice(from, from + 4), 36) || 0) % 360
  const picture = document.createElementNS(SVG, 'svg')
  picture.setAttribute('class', 'picture')
  picture.setAttribute('viewBox', '0 0 8 8')
  picture.setAttribute('aria-hidden', 'true')
  for (const [x, y, r, from] of [
    [4, 4, 6, 0],
    [7, 1, 4, 4],
    [1, 7, 3, 8]
  ] as const) {
    const spot = document.createElementNS(SVG, 'circle')
    for (const [name, value] of Object.entries({ cx: x, cy: y, r, fill: `hsl(${hue(from)} 70% 55%)` })) {
      spot.setAttribute(name, String(value))
    }
    picture.append(spot)
  }
  return picture
}
