import type { EmbeddedFault } from '../generated/core.ts'
import type { KeyWith } from '../text/keys.ts'
import { type loginWords, saidWords } from '../text/login.ts'
import type { Translate } from '../text/text.tsx'

const words: Readonly<Record<Exclude<EmbeddedFault['type'], 'said' | 'cooldown'>, KeyWith<typeof loginWords>>> = {
  email: 'emailInvalid',
  late: 'somethingWrong',
  unknown: 'errorOccurred',
  unloadable: 'loginUnloadable',
  closed: 'socialClosed'
}

/** Key of a sentence that the frame says in English; `undefined` for another one. */
function saidKey(sentence: string): keyof typeof saidWords | undefined {
  return (Object.keys(saidWords) as (keyof typeof saidWords)[]).find((key) => saidWords[key] === sentence)
}

/** Whether another address is needed; after any other failure the same one can be tried again. */
export function isOfAddress(fault: EmbeddedFault | null): boolean {
  return fault?.type === 'email' || (fault?.type === 'said' && /^address/.test(saidKey(fault.words) ?? ''))
}

/** Whether a login, or the change of an address, is over, so that only another one helps. */
export function isOver(fault: EmbeddedFault | null): boolean {
  return (
    fault?.type === 'said' &&
    /^(codesSpent|changeEnded|mailUnsent|login(Ended|Declined))$/.test(saidKey(fault.words) ?? '')
  )
}

/** Text of a failure; `null` without one. */
export function faultText(
  fault: EmbeddedFault | null,
  t: Translate<KeyWith<typeof loginWords>>,
  email: KeyWith<typeof loginWords> = 'emailInvalid'
): string | null {
  if (!fault) return null
  if (fault.type === 'said') {
    const key = saidKey(fault.words)
    return key ? t(key) : fault.words
  }
  if (fault.type === 'email') return t(email)
  if (fault.type !== 'cooldown') return t(words[fault.type])
  // Spec 8.35 counts seconds; from two minutes on that would be a riddle.
  const { seconds } = fault
  if (seconds === 1) return t('mailOne')
  return seconds < 120 ? t('mailSoon', String(seconds)) : t('mailLater', String(Math.ceil(seconds / 60)))
}
