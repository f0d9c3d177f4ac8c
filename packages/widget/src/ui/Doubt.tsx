import { useText } from '../text/text.tsx'
import { tokenWords } from '../text/token.ts'
import { Tag } from './Tag.tsx'

/** Why a token is to be distrusted; `unknown` if it is on no list and has no price. */
export type Doubt = 'suspicious' | 'lookalike' | 'unknown'

const words = { suspicious: 'tokenSuspicious', lookalike: 'tokenLookalike', unknown: 'tokenUnknown' } as const

/** Label of a transaction that moved a token to distrust, in the words of the token's row; nothing for any other. */
export function DoubtTag({ doubt }: { doubt: Doubt | undefined }) {
  const t = useText(tokenWords)
  return doubt && <Tag kind={doubt === 'unknown' ? 'quiet' : 'bad'}>{t(words[doubt])}</Tag>
}
