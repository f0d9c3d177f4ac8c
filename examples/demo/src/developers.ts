//! Whether the panels for developers are shown: kept for this tab, and turned on by `?developers`.

const KEY = 'demo.developers'

export function developersShown(): boolean {
  if (new URL(location.href).searchParams.has('developers')) return true
  try {
    return sessionStorage.getItem(KEY) === 'on'
  } catch {
    // The visitor's browser allows no storage.
    return false
  }
}

export function keepDevelopersShown(shown: boolean): void {
  try {
    sessionStorage.setItem(KEY, shown ? 'on' : 'off')
  } catch {
    // Shown until the page is left.
  }
}
