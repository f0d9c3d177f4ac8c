/** English texts for rows of tokens, of NFTs and of copied addresses; loaded with the lists and details that show them. */
export const tokenWords = {
  tokenHidden: 'Hidden ({0})',
  tokenHiddenHint: 'No price or possible scam',
  tokenSuspicious: 'Suspicious name',
  tokenLookalike: 'Lookalike',
  tokenUnknown: 'Unknown token',
  upTo: 'up to',
  copied: 'Copied',
  copyThis: 'Copy {0}'
} as const

/** One of our labels as a sentence goes on with it: `Token ID` is `token ID`. */
export function inSentence(label: string): string {
  return label.charAt(0).toLowerCase() + label.slice(1)
}
