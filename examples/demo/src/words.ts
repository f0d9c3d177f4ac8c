/** Error text of this page: the widget's typed reason, if there is one, then the message. */
export function inWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const reason = 'reason' in error && typeof error.reason === 'string' ? `${error.reason}: ` : ''
  return `${reason}${error.message}`
}
