/** Bitmap in the form that image decoders take. */
export interface Picture {
  readonly data: Uint8ClampedArray
  readonly side: number
}

/** Rasterizes a path of `M`, `h`, `v` and `z` as a browser fills it, with a quiet zone of four modules around. */
export function draw(path: string, modules: number, scale: number): Picture {
  const side = (modules + 8) * scale
  const data = new Uint8ClampedArray(side * side * 4).fill(255)
  const dark = inside(path, modules)
  for (let y = 0; y < modules; y += 1)
    for (let x = 0; x < modules; x += 1)
      if (dark[y * modules + x]) fill({ data, side }, (x + 4) * scale, (y + 4) * scale, scale, 0)
  return { data, side }
}

/** Paints a square in the middle, like a logo. */
export function cover({ data, side }: Picture, modules: number, share: number, shade: number): void {
  const width = Math.round((side * modules * share) / (modules + 8))
  fill({ data, side }, Math.round((side - width) / 2), Math.round((side - width) / 2), width, shade)
}

function fill({ data, side }: Picture, left: number, top: number, width: number, shade: number): void {
  for (let y = top; y < top + width; y += 1)
    for (let x = left; x < left + width; x += 1) data.fill(shade, (y * side + x) * 4, (y * side + x) * 4 + 3)
}

/** Each vertical edge toggles all modules to its right. */
function inside(path: string, modules: number): Uint8Array {
  const squares = new Uint8Array(modules * modules)
  let [x, y, startX, startY] = [0, 0, 0, 0]
  const upright = (to: number) => {
    for (let row = Math.min(y, to); row < Math.max(y, to); row += 1)
      for (let column = x; column < modules; column += 1) squares[row * modules + column] = 1 - at(row, column)
    y = to
  }
  const at = (row: number, column: number) => squares[row * modules + column] ?? 0
  for (const [, command, first, second] of path.matchAll(/([Mhvz])(-?\d+)?(?: (\d+))?/g)) {
    if (command === 'M') [x, y, startX, startY] = [Number(first), Number(second), Number(first), Number(second)]
    else if (command === 'h') x += Number(first)
    else if (command === 'v') upright(y + Number(first))
    else {
      if (x === startX) upright(startY)
      ;[x, y] = [startX, startY]
    }
  }
  return squares
}
