import type { ReactNode } from 'react'
import { coins, marks, networks } from './marks.ts'

/** Network by its CAIP-2 id, or native coin by its symbol: both are the host's words. A token has no mark, because anybody may call one ETH. */
export type Shows = { readonly network: string } | { readonly coin: string }

export interface MarkProps {
  readonly of: Shows
  /** Drawn where there is no mark. */
  readonly otherwise: ReactNode
}

/** Mark of a network or coin. With its sprite it is a file of its own, fetched when the first one is drawn. */
export function Mark({ of, otherwise }: MarkProps) {
  const [lists, wanted] = 'network' in of ? [networks, of.network] : [coins, of.coin]
  const known = Object.keys(lists).find((name) => lists[name]?.split(' ').includes(wanted))
  // Networks of Solana have one mark, also one with a genesis of its own, such as a local one.
  const name = known ?? (wanted.startsWith('solana:') ? 'solana' : undefined)
  if (name === undefined) return otherwise
  const [ground, ink, path] = marks[name as keyof typeof marks]
  return (
    <svg className="tile" viewBox="-4 -4 32 32" aria-hidden="true">
      <path fill={ground} d="M-4-4h32v32H-4z" />
      <path fill={ink} fillRule="evenodd" d={path} />
    </svg>
  )
}
