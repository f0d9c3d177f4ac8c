import type { ThemeMode } from '../generated/core.ts'

/** Those that no sheet reads change nothing. */
const known = /^--(apkt|w3m)-[a-z-]+$/
/** A colour, a length, a number or a list of fonts. No address can be written with these characters. */
const harmless = /^[\w#%.,()\s"'+*/-]{1,160}$/
const foreign = /url|image|src/i

/** Puts a host's theme on the modal's element: the mode as an attribute, the variables through the object model. */
export function applyTheme(host: HTMLElement, mode: ThemeMode, variables: unknown): void {
  host.dataset.theme = mode
  const wanted = new Map<string, string>()
  for (const [name, value] of Object.entries(variables ?? {})) {
    if (typeof value !== 'string' && typeof value !== 'number') continue
    const own = name.replace('--w3m', '--apkt')
    const text = withUnit(own, String(value))
    const wins = name === own || !wanted.has(own)
    if (wins && known.test(name) && harmless.test(text) && !foreign.test(text)) wanted.set(own, text)
  }
  for (const name of Array.from(host.style)) if (known.test(name) && !wanted.has(name)) host.style.removeProperty(name)
  for (const [name, text] of wanted) host.style.setProperty(name, text)
}

/** Lengths may come as numbers, the strength as a percentage; the sheet wants a length and a number. */
function withUnit(name: string, text: string): string {
  if (name.endsWith('-master') && /^[\d.]+$/.test(text)) return `${text}px`
  return name.endsWith('-strength') ? text.replace('%', '') : text
}
