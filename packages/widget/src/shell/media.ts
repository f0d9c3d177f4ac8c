/** Whether a media query matches; false where there is no `matchMedia`, as in jsdom. */
export function matches(query: string): boolean {
  return window.matchMedia?.(query).matches ?? false
}
