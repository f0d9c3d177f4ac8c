/** Reads the clipboard. Where the browser refuses, `tell` is not called: the visitor can still paste by hand. */
export function readCopied(tell: (text: string) => void): void {
  navigator.clipboard?.readText?.().then(tell, () => {})
}
