import type { ThemeMode } from '../generated/core.ts'

/** Names of theme variables. Names that no style sheet reads have no effect. */
const known = /^--(apkt|w3m)-[a-z-]+$/
/** Characters of a colour, a length, a number or a font list. A URL cannot be written with them. */
const harmless = /^[\w#%.,()\s"'+*/-]{1,160}$/
const foreign = /url|image|src/i

/** Applies a host's theme to an element: the mode as an attribute, the variables through the CSSOM. */
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

/** Adds the unit: lengths may be plain numbers, and the strength a percentage; the style sheet needs a length and a number. */
function withUnit(name: string, text: string): string {
  if (name.endsWith('-master') && /^[\d.]+$/.test(text)) return `${text}px`
  return name.endsWith('-strength') ? text.replace('%', '') : text
}
