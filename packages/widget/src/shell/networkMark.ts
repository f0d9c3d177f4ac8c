//! Mark of a network outside of React: for the page's own network button, where the host gives no picture.

import { make } from '../host/stage.ts'
import { draw } from './avatar.ts'

/** Place of the mark, which is drawn once its file is there; it is taken out again where a network has no mark. */
export function networkMark(network: string): Element {
  const place = make('span', { class: 'picture', 'aria-hidden': 'true' })
  import('../generated/marks.ts').then(
    ({ markOf }) => {
      const mark = markOf({ network })
      if (!mark) return place.remove()
      const [ground, ink, path] = mark
      place.replaceWith(
        draw([
          'svg',
          { class: 'picture', viewBox: '-4 -4 32 32', 'aria-hidden': 'true' },
          [
            ['path', { fill: ground, d: 'M-4-4h32v32H-4z' }],
            ['path', { fill: ink, 'fill-rule': 'evenodd', d: path }]
          ]
        ])
      )
    },
    () => place.remove()
  )
  return place
}
