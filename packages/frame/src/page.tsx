//! The frame's page: reads its address, starts the machine and the worker, greets the host page, draws.

import { createRoot } from 'react-dom/client'
import { applyTheme } from '../../widget/src/theme/variables.ts'
import initialise, { Machine as WasmMachine } from '../wasm/frame.js'
import { greet, hostOf, tellHeight } from './handshake.ts'
import { Machine, type Wasm } from './machine.ts'
import { readNetworks } from './networks.ts'
import { Alone } from './passkey/Alone.tsx'
import { ALONE } from './passkey/wish.ts'
import { performer } from './perform.ts'
import { Secrets } from './secrets.ts'
import { language, languageOf, speak, words } from './text/words.ts'
import { FrameView } from './views/FrameView.tsx'
import { startWorker } from './worker.ts'

async function start(place: Element): Promise<void> {
  const query = new URLSearchParams(location.search)
  const host = hostOf(window, query.get('host'))
  const root = createRoot(place)
  const asked = languageOf(query.get('lang'))
  // A visitor whose language cannot be loaded reads English.
  const speaking = speak(asked).then(() => {
    document.documentElement.lang = language()
    document.documentElement.dir = words().direction
  })
  if (window.parent === window && location.hash === ALONE && window.opener) {
    await speaking
    root.render(<Alone opener={window.opener} />)
    return
  }
  if (!host) {
    await speaking
    root.render(<p className="alone">{words().alone}</p>)
    return
  }
  const project = query.get('projectId') ?? ''
  const worker = startWorker()
  await Promise.all([
    initialise({ module_or_path: fetch(new URL('../wasm/frame_bg.wasm', import.meta.url)) }),
    speaking
  ])
  const boot = { host, project, chain: query.get('chainId') ?? '', language: asked }
  const channel = new MessageChannel()
  const secrets = new Secrets()
  const machine: Machine = new Machine(
    new WasmMachine(JSON.stringify(boot), Date.now()) as Wasm,
    performer({ port: channel.port1, worker, secrets, project, fetch: (url, init) => fetch(url, init) }),
    // The page that is loaded anew greets the host again, which then asks again.
    () => location.reload()
  )
  machine.subscribe(() => {
    const { theme, variables } = machine.snapshot
    applyTheme(document.documentElement, theme === 'light' ? 'light' : 'dark', variables)
  })
  machine.start()
  root.render(<FrameView machine={machine} secrets={secrets} />)
  void readNetworks((url, init) => fetch(url, init)).then((networks) =>
    machine.dispatch({ type: 'networksRead', networks })
  )
  greet(window.parent, host, channel, (text) => machine.dispatch({ type: 'hostMessage', text }))
  tellHeight(place, channel.port1)
}

const place = document.getElementById('frame')
if (place) void start(place)
