/** Whether a media query holds now; none does where there is no screen to ask about, as in jsdom. */
export function matches(query: string): boolean {
  return window.matchMedia?.(query).matches ?? false
}
