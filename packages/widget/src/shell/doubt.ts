import type { Move, TokenMark } from '../generated/core.ts'
import { activeAccount } from './active.ts'
import { useSnapshot } from './react.tsx'

/** Worst reason to distrust what a transaction moved; `unknown` if it stands among the hidden tokens of the account. */
export function useDoubt(moves: readonly Move[]): TokenMark | 'unknown' | undefined {
  return useSnapshot((snapshot) => {
    const marks = moves.map(({ mark }) => mark)
    const worst = (['suspicious', 'lookalike'] as const).find((mark) => marks.includes(mark))
    if (worst) return worst
    const moved = new Set(moves.map(({ address }) => address?.toLowerCase()))
    const tokens = activeAccount(snapshot)?.tokenBalance ?? []
    return tokens.some(({ hidden, address }) => hidden && address && moved.has(address.toLowerCase()))
      ? 'unknown'
      : undefined
  })
}
