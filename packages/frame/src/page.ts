//! The frame's page: reads its address, starts the machine and the worker, greets the host page, draws.

import { applyTheme } from '../../widget/src/theme/variables.ts'
import initialise, { Machine as WasmMachine } from '../wasm/frame.js'
import { greet, hostOf, tellEscape, tellHeight } from './handshake.ts'
import { Machine, type Wasm } from './machine.ts'
import { readNetworks } from './networks.ts'
import { type PerformParts, performer } from './perform.ts'
import { Secrets } from './secrets.ts'
import { languageOf } from './text/language.ts'
import { ofPage } from './text/ofPage.ts'
import { startWorker } from './worker.ts'

async function start(place: Element): Promise<void> {
  const query = new URLSearchParams(location.search)
  const host = hostOf(window, query.get('host'))
  const asked = languageOf(query.get('lang'))
  const secrets = new Secrets()
  if (!host) {
    const { drawAlone } = await import('./draw.tsx')
    return drawAlone(place, asked, secrets)
  }
  const project = query.get('projectId') ?? ''
  const worker = startWorker()
  await initialise({ module_or_path: fetch(new URL('../wasm/frame_bg.wasm', import.meta.url)) })
  const seesCovers = 'isVisible' in IntersectionObserverEntry.prototype
  const boot = { host, project, chain: query.get('chainId') ?? '', language: asked, seesCovers }
  const channel = new MessageChannel()
  const parts: PerformParts = {
    port: channel.port1,
    worker,
    secrets,
    project,
    fetch: (url, init) => fetch(url, init),
    clicks: undefined
  }
  const machine: Machine = new Machine(
    new WasmMachine(JSON.stringify(boot), Date.now()) as Wasm,
    performer(parts),
    // The page that is loaded anew greets the host again, which then asks again.
    () => location.reload()
  )
  machine.subscribe(() => {
    const { theme, variables } = machine.snapshot
    applyTheme(document.documentElement, theme === 'light' ? 'light' : 'dark', variables)
  })
  machine.start()
  void readNetworks((url, init) => fetch(url, init)).then((networks) =>
    machine.dispatch({ type: 'networksRead', networks })
  )
  greet(window.parent, host, channel, (text) => machine.dispatch({ type: 'hostMessage', text }))
  tellHeight(place, channel.port1)
  tellEscape(window, channel.port1)
  // A login is typed in the modal, so the frame's views and texts come behind it.
  import('./draw.tsx').then(
    ({ DecisionWindow, draw, performClick }) => {
      parts.clicks = performClick
      parts.window = new DecisionWindow(machine, secrets)
      return draw(place, asked, machine, secrets)
    },
    () => tellUnloaded(place)
  )
}

/** Shows a visitor whose browser could not fetch the views and texts what to do: in English, because that is all there is. */
function tellUnloaded(place: Element): void {
  const sentence = document.createElement('p')
  sentence.role = 'alert'
  sentence.textContent = ofPage.unreachable
  const again = document.createElement('button')
  again.className = 'button'
  again.textContent = 'Try again'
  again.onclick = () => location.reload()
  place.replaceChildren(sentence, again)
}

const place = document.getElementById('frame')
if (place) void start(place)
