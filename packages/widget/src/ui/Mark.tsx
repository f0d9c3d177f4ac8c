import type { ReactNode } from 'react'
import { markOf, type Shows } from '../generated/marks.ts'

export interface MarkProps {
  readonly of: Shows
  /** Drawn where there is no mark. */
  readonly otherwise: ReactNode
}

/** Mark of a network or coin. With its sprite it is a file of its own, fetched when the first one is drawn. */
export function Mark({ of, otherwise }: MarkProps) {
  const mark = markOf(of)
  if (!mark) return otherwise
  const [ground, ink, path] = mark
  return (
    <svg className="tile" viewBox="-4 -4 32 32" aria-hidden="true">
      <path fill={ground} d="M-4-4h32v32H-4z" />
      <path fill={ink} fillRule="evenodd" d={path} />
    </svg>
  )
}
