/**
 * Corner radius between edges of one or two modules, in modules; and between the long edges of the finder patterns, as a share of the
 * shorter edge.
 */
const SMALL = 0.42
const LONG = { from: 3, part: 0.28 }

type Point = readonly [x: number, y: number]

/**
 * Rounds the corners of a QR code's outlines. The middle of every module keeps its colour, which is all that a camera reads. An outline is
 * `M x y` and steps `h n` and `v n`, as the core draws it; any other path is returned unchanged.
 */
export function rounded(path: string): string {
  if (!/^(M\d+ \d+([hv]-?\d+)+z)+$/.test(path)) return path
  return path
    .split('z')
    .filter((outline) => outline !== '')
    .map((outline) => soft(cornersOf(outline)))
    .join('')
}

function cornersOf(outline: string): Point[] {
  const [start = '', ...steps] = outline.match(/M\d+ \d+|[hv]-?\d+/g) ?? []
  let [x = 0, y = 0] = start.slice(1).split(' ').map(Number)
  const corners: Point[] = [[x, y]]
  for (const step of steps) {
    const run = Number(step.slice(1))
    if (step.startsWith('h')) x += run
    else y += run
    corners.push([x, y])
  }
  const [first, last] = [corners[0], corners.at(-1)]
  const closed = corners.length > 1 && String(first) === String(last)
  return closed ? corners.slice(0, -1) : corners
}

function soft(corners: readonly Point[]): string {
  const count = corners.length
  const pieces = corners.map((corner, index) => {
    const before = corners[(index + count - 1) % count] ?? corner
    const after = corners[(index + 1) % count] ?? corner
    const [came, goes] = [length(before, corner), length(corner, after)]
    const edge = Math.min(came, goes)
    const radius = edge >= LONG.from ? edge * LONG.part : SMALL
    return `${at(toward(corner, before, radius / came))}Q${at(corner)} ${at(toward(corner, after, radius / goes))}`
  })
  return `M${pieces.join('L')}z`
}

function length([ax, ay]: Point, [bx, by]: Point): number {
  return Math.abs(ax - bx) + Math.abs(ay - by)
}

function toward([ax, ay]: Point, [bx, by]: Point, part: number): Point {
  return [ax + (bx - ax) * part, ay + (by - ay) * part]
}

function at([x, y]: Point): string {
  return `${Math.round(x * 100) / 100} ${Math.round(y * 100) / 100}`
}
