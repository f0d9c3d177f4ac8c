//! Language that the frame's address names.

/** Language of an address, as a BCP 47 tag; that of the browser if the address names none. */
export function languageOf(named: string | null): string {
  return named !== null && /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$/.test(named) ? named : navigator.language
}
