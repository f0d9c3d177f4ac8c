import type { EmbeddedFault } from '../generated/core.ts'
import type { KeyWith } from '../text/keys.ts'
import type { loginWords } from '../text/login.ts'
import type { Translate } from '../text/text.tsx'

const words: Readonly<Record<Exclude<EmbeddedFault['type'], 'said' | 'cooldown'>, KeyWith<typeof loginWords>>> = {
  email: 'emailInvalid',
  late: 'somethingWrong',
  unknown: 'errorOccurred',
  unloadable: 'loginUnloadable',
  closed: 'socialClosed'
}

/** Text of a failure; `null` without one. */
export function faultText(
  fault: EmbeddedFault | null,
  t: Translate<KeyWith<typeof loginWords>>,
  email: KeyWith<typeof loginWords> = 'emailInvalid'
): string | null {
  if (!fault) return null
  if (fault.type === 'said') return fault.words
  if (fault.type === 'email') return t(email)
  if (fault.type !== 'cooldown') return t(words[fault.type])
  // Spec 8.35 counts seconds; from two minutes on that would be a riddle.
  const { seconds } = fault
  return seconds < 120 ? t('mailSoon', String(seconds)) : t('mailLater', String(Math.ceil(seconds / 60)))
}
