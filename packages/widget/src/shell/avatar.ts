//! Avatar generated from an address. The account button and the views draw the same shapes, so that an address has one face.

/** Element of a drawing: name, attributes, children. */
export type Shape = readonly [name: string, attributes: Readonly<Record<string, string | number>>, children?: Shape[]]

const gradient = (id: string, colour: string, end: string): Shape => [
  'radialGradient',
  { id },
  [
    ['stop', { 'stop-color': colour }],
    ['stop', { offset: 1, 'stop-color': end, 'stop-opacity': 0 }]
  ]
]

/** Two soft gradients on a plain colour. It uses attributes instead of styles, so that a strict CSP allows it. */
export function avatarOf(address: string): Shape[] {
  // FNV-1a over the lower-case address: its checksum case does not change the picture.
  let seed = 0x811c9dc5
  for (const letter of address.toLowerCase()) seed = Math.imul(seed ^ letter.charCodeAt(0), 0x01000193) >>> 0
  const part = (shift: number, span: number) => ((seed >>> shift) & 0xff) % span
  const hue = part(0, 255) * 1.41
  const light = `hsl(${hue + 40} 95% 78%)`
  const [glow, dusk] = [`glow-${seed}`, `dusk-${seed}`]
  return [
    gradient(glow, light, light),
    gradient(dusk, `hsl(${hue - 30 - part(24, 50)} 85% 48%)`, `hsl(${hue - 50} 85% 48%)`),
    ['rect', { width: 64, height: 64, fill: `hsl(${hue} 78% 56%)` }],
    ['circle', { cx: 40 + part(16, 20), cy: 40 + part(20, 20), r: 40, fill: `url(#${dusk})` }],
    ['circle', { cx: 8 + part(8, 24), cy: 6 + part(12, 22), r: 34, fill: `url(#${glow})` }]
  ]
}

/** Element of a shape outside of React. */
export function draw([name, attributes, children = []]: Shape): Element {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value))
  element.append(...children.map(draw))
  return element
}

/** Avatar of an address outside of React. */
export function drawAvatar(address: string): Element {
  return draw(['svg', { class: 'picture', viewBox: '0 0 64 64', 'aria-hidden': 'true' }, avatarOf(address)])
}
