//! Gallery of every view in every state, drawn from the snapshots that the core's scenarios write. `?case=Connect.wallets` shows one in
//! its real dialog; `theme=light`, `dir=rtl`, `lang=ar`, `accent=red`, `stress` (long values) and `words=long` (long texts) change its look.
//! With `?stage`, tests call `showCase` for one case after the other.

import { loadPanel, others } from '../../../packages/widget/src/account/panels.ts'
import type { CoreEvent, Snapshot } from '../../../packages/widget/src/generated/core.ts'
import { mountModal } from '../../../packages/widget/src/modal/mount.tsx'
import { drawnAs, loadView } from '../../../packages/widget/src/modal/views.ts'
import { picturesIn, real } from './real.ts'

const files = import.meta.glob<Snapshot>('../../../fixtures/snapshots/*.json', { import: 'default' })
const cases = new Map(Object.entries(files).map(([path, load]) => [path.replace(/^.*\/|\.json$/g, ''), load]))

const wanted = new URLSearchParams(location.search)
const theme = wanted.get('theme') === 'light' ? 'light' : 'dark'
const root = document.documentElement
root.dataset.theme = theme
root.lang = wanted.get('lang') ?? (wanted.get('dir') === 'rtl' ? 'ar' : 'en')
root.dir = wanted.get('dir') ?? 'ltr'

let takeAway = () => {}

const name = wanted.get('case')
if (wanted.has('stage')) Object.assign(window, { showCase })
else if (name !== null && cases.has(name)) await showCase(name)
else list()

/** Shows one case in its own dialog, over a shell that only logs events. The case shown before is removed. */
async function showCase(name: string): Promise<void> {
  const loaded = await cases.get(name)?.()
  if (loaded === undefined) throw new Error(`There is no case ${name}`)
  const snapshot = real(loaded)
  const logos = picturesIn(snapshot)
  takeAway()
  // An open modal covers the page; a message without one is shown over the page.
  root.toggleAttribute('data-case', snapshot.modal.open || snapshot.config.embedded)
  const host = document.createElement('w3m-modal')
  const shadow = host.attachShadow({ mode: 'open' })
  const dialog = document.createElement('dialog')
  dialog.dataset.testid = 'w3m-modal-overlay'
  shadow.append(dialog)
  document.body.append(host)
  await loadView(drawnAs(snapshot))
  await Promise.all(snapshot.account.accounts.map(({ currentTab }) => loadPanel(currentTab)))
  await others.load('Others')
  const picture: Snapshot = {
    ...snapshot,
    config: {
      ...snapshot.config,
      themeMode: theme,
      themeVariables: wanted.has('accent') ? { '--apkt-accent': wanted.get('accent') } : null,
      debug: snapshot.config.debug && name.startsWith('Alert')
    }
  }
  const said: CoreEvent[] = []
  const shown = wanted.has('stress') ? stretched(picture) : picture
  const unmount = mountModal(
    { host, shadow, dialog },
    {
      store: { get: () => shown, subscribe: () => () => {} },
      dispatch: (event) => said.push(event),
      icon: (handle) => logos.get(handle) ?? logo(handle)
    },
    wanted.get('words') === 'long' ? { messages: await longWords() } : {}
  )
  takeAway = () => {
    unmount()
    host.remove()
  }
  Object.assign(window, { said })
}

/** Icon of the kind that a wallet announces. */
function logo(handle: string): string {
  let seed = 7
  for (const letter of handle) seed = (seed * 131 + letter.charCodeAt(0) * 7) % 100_003
  const hue = (seed * 47) % 360
  const shapes = [
    '<path d="M10 27V17a10 10 0 0 1 20 0v10h-6V17a4 4 0 0 0-8 0v10z"/>',
    '<circle cx="16" cy="20" r="8"/><circle cx="25" cy="20" r="8" fill-opacity=".6"/>',
    '<path d="m20 8 10 6v12l-10 6-10-6V14z"/>',
    '<path d="M9 26 16 12l4 8 4-8 7 14h-6l-2-5-3 6-3-6-2 5z"/>'
  ]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><linearGradient id="a" x2="0" y2="1"><stop stop-color="hsl(${hue} 85% 62%)"/><stop offset="1" stop-color="hsl(${hue + 30} 80% 46%)"/></linearGradient><path fill="url(#a)" d="M0 0h40v40H0z"/><g fill="#fff">${shapes[seed % shapes.length]}</g></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/** Snapshot with its texts and numbers replaced by very long ones (`?stress`). */
function stretched(picture: Snapshot): Snapshot {
  const longer: readonly (readonly [RegExp, string])[] = [
    [/MetaMask|Rabby Wallet|Rainbow/g, 'A Wallet of the Most Extraordinarily Long Names 48'],
    [/"(Ethereum|Base)"/g, '"The 1st Network of Extraordinarily Long Names 48"'],
    [/"10000\.0+"/g, `"${'1234567890'.repeat(6)}.123"`],
    [/alice(?=\.portico\.eth)/g, 'a-name-of-as-many-letters-as-a-label-may-have-'.padEnd(63, 'x')],
    [/"1\.25"/g, '"12345678901234567.123456789012345678"'],
    [/(ymbol":")ETH"/g, '$1WRAPPEDETH"']
  ]
  return JSON.parse(longer.reduce((text, [from, to]) => text.replace(from, to), JSON.stringify(picture)))
}

/** English texts with words as long as those of other languages (`words=long`): a word of more than five letters is written twice. */
async function longWords(): Promise<Record<string, string>> {
  const files = import.meta.glob<Record<string, unknown>>([
    '../../../packages/widget/src/text/*.ts',
    '!**/{ar,keys}.ts',
    '!**/*.test.ts'
  ])
  const modules = await Promise.all(Object.values(files).map((load) => load()))
  const texts = modules.flatMap((exports) => Object.values(exports)).filter((value) => typeof value === 'object')
  const all = texts.flatMap((words) => Object.entries(words ?? {}))
  return Object.fromEntries(
    all
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      .map(([key, text]) => [key, text.replace(/\p{L}{6,}/gu, (word) => word + word.toLowerCase())])
  )
}

/** Shows all cases, each in a frame of its own because a dialog covers its whole page. */
function list(): void {
  const grid = document.createElement('div')
  grid.className = 'cases'
  for (const known of cases.keys()) {
    const query = new URLSearchParams(wanted)
    query.set('case', known)
    const frame = document.createElement('iframe')
    frame.src = `?${query}`
    frame.title = known
    frame.loading = 'lazy'
    const link = document.createElement('a')
    link.href = frame.src
    link.textContent = known
    const section = document.createElement('section')
    section.append(link, frame)
    grid.append(section)
  }
  document.querySelector('#gallery')?.append(grid)
}
