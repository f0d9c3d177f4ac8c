/** What went wrong, as this page shows it: the widget's typed reason where there is one, then the message. */
export function inWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const reason = 'reason' in error && typeof error.reason === 'string' ? `${error.reason}: ` : ''
  return `${reason}${error.message}`
}
