//! Texts for notices about sent responses, and for pairing URIs that do not work.

import type { Question } from './question.ts'

/** Text of the notice, its time on screen in seconds, and the hash of a sent transaction. */
export function doneWords(question: Question, result: unknown): [words: string, seconds: number, hash: string | null] {
  const { name } = question.peer
  if (question.kind === 'proposal') return [`Connected to ${name}.`, 6, null]
  if (question.kind === 'authenticate') return [`Signed in to ${name}.`, 6, null]
  switch (question.ask.body.type) {
    case 'transaction':
      return ['Sent.', 30, typeof result === 'string' ? result : null]
    case 'network':
      return [`${name} is now on ${question.ask.body.to.name}.`, 6, null]
    default:
      return [`Signed for ${name}.`, 6, null]
  }
}

/** Error text for a pairing URI that does not work, without technical terms. */
export function pairingWords(error: unknown): string {
  const told = error instanceof Error ? error.message : ''
  if (/expired/i.test(told)) return 'This code has expired. Get a new one from the app.'
  if (/already|exist|used|reuse/i.test(told)) return 'This code was already used. Get a new one from the app.'
  return "This code doesn't work. Get a new one from the app."
}
