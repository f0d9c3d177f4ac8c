import { useText } from '../text/text.tsx'
import { tokenWords } from '../text/token.ts'
import { Tag } from './Tag.tsx'

/** Why a token is to be distrusted: `both` suspicious and a lookalike, or `unknown` if it is on no list and has no price. */
export type Doubt = 'both' | 'suspicious' | 'lookalike' | 'unknown'

/** The single reasons to distrust a token. */
function reasonsOf(doubt: Doubt): readonly Exclude<Doubt, 'both'>[] {
  return doubt === 'both' ? ['suspicious', 'lookalike'] : [doubt]
}

const words = { suspicious: 'tokenSuspicious', lookalike: 'tokenLookalike', unknown: 'tokenUnknown' } as const

/** Labels of a transaction that moved a token to distrust, in the words of the token's row; nothing for any other. */
export function DoubtTag({ doubt }: { doubt: Doubt | undefined }) {
  const t = useText(tokenWords)
  return (
    doubt &&
    reasonsOf(doubt).map((reason) => (
      <Tag key={reason} kind={reason === 'unknown' ? 'quiet' : 'bad'}>
        {t(words[reason])}
      </Tag>
    ))
  )
}
