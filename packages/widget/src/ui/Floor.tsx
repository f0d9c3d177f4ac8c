import type { ReactNode } from 'react'
import { useStyle } from '../theme/style.ts'
import { floorCss } from './floor.css.ts'

/** Foot of a view: always whole at the lower edge of the card, while the content above scrolls. */
export function Floor({ children }: { children: ReactNode }) {
  useStyle(floorCss)
  return <div className="floor">{children}</div>
}
