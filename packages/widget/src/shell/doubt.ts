import type { Move, TokenBalance, TokenMark } from '../generated/core.ts'
import { activeAccount } from './active.ts'
import { useSnapshot } from './react.tsx'

/** Addresses of the hidden tokens of each list, which may be thousands and is looked through for every row. */
const known = new WeakMap<readonly TokenBalance[], ReadonlySet<string>>()

function hiddenIn(tokens: readonly TokenBalance[]): ReadonlySet<string> {
  const hidden =
    known.get(tokens) ?? new Set(tokens.flatMap(({ hidden, address }) => (hidden && address?.toLowerCase()) || []))
  known.set(tokens, hidden)
  return hidden
}

/** Worst reason to distrust what a transaction moved; `unknown` if it stands among the hidden tokens of the account. */
export function useDoubt(moves: readonly Move[]): TokenMark | 'unknown' | undefined {
  return useSnapshot((snapshot) => {
    const marks = moves.map(({ mark }) => mark)
    const worst = (['suspicious', 'lookalike'] as const).find((mark) => marks.includes(mark))
    if (worst) return worst
    const tokens = activeAccount(snapshot)?.tokenBalance
    return tokens && moves.some(({ address }) => address && hiddenIn(tokens).has(address.toLowerCase()))
      ? 'unknown'
      : undefined
  })
}
