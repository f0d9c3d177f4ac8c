import type { Move, Snapshot, TokenBalance, TokenMark } from '../generated/core.ts'
import { activeAccount } from './active.ts'
import { useSnapshot } from './react.tsx'

/** Why a token is to be distrusted; `unknown` if it is among the hidden tokens of the account. */
type Doubt = TokenMark | 'unknown'

/** Doubts about the tokens of each list, by address. The list may have thousands and is looked through for every row. */
const known = new WeakMap<readonly TokenBalance[], ReadonlyMap<string, Doubt>>()

function doubtsIn(tokens: readonly TokenBalance[]): ReadonlyMap<string, Doubt> {
  const doubts =
    known.get(tokens) ??
    new Map(
      tokens.flatMap(({ hidden, mark, address }) => {
        const doubt = mark ?? (hidden ? 'unknown' : null)
        return doubt && address ? [[address.toLowerCase(), doubt] as const] : []
      })
    )
  known.set(tokens, doubts)
  return doubts
}

const worstFirst: readonly (Doubt | undefined)[] = ['both', 'suspicious', 'lookalike', 'unknown', undefined]

/** Reason to distrust what moved: its own mark, or that of its token among those of the account, the worse of both. */
function doubtOf(snapshot: Snapshot, { mark, address }: Move): Doubt | undefined {
  const tokens = activeAccount(snapshot)?.tokenBalance
  const held = tokens && address && doubtsIn(tokens).get(address.toLowerCase())
  return worstFirst.find((doubt) => doubt && (doubt === held || doubt === mark))
}

/** Reasons to distrust what a transaction moved: of each move, and the worst of all. */
export function useDoubts(moves: readonly Move[]): { each: readonly (Doubt | undefined)[]; worst: Doubt | undefined } {
  // The places in the list are one text, which is equal where nothing changed.
  const places = useSnapshot((snapshot) => moves.map((move) => worstFirst.indexOf(doubtOf(snapshot, move))).join(''))
  const each = [...places].map((place) => worstFirst[Number(place)])
  return { each, worst: worstFirst.find((doubt) => each.includes(doubt)) }
}
