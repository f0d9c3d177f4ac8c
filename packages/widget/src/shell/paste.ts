/** Hands over what the visitor copied. Where the browser refuses, nothing is told: the visitor can still paste by hand. */
export function readCopied(tell: (text: string) => void): void {
  navigator.clipboard?.readText?.().then(tell, () => {})
}
