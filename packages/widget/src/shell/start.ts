//! Shell with the modal's views, fetched at the visitor's first sign of interest.

import { idle } from '../generated/idle.ts'
import { languageInTime, mountModal } from '../modal/mount.tsx'
import { begin, type StartParts } from './begin.ts'
import { turn } from './turn.ts'

export { refusalOf } from './begin.ts'

/** Boots the core and mounts the modal, so that from now on a click is one synchronous dispatch. */
export async function start(parts: StartParts): Promise<void> {
  const stage = parts.stage()
  const { options } = parts.engine
  const loading = languageInTime(options)
  /** Unmounts the views; `null` once the core has stopped. */
  let unmount = undefined as (() => void) | null | undefined
  let mounted = () => {}
  const shell = await begin(
    parts,
    () => stage.dialog,
    () => {
      unmount?.()
      unmount = null
    },
    new Promise((resolve) => {
      mounted = resolve
    })
  )
  // Booting and mounting each take a slow processor about 100 ms, so the page gets a turn between them.
  await turn()
  const language = await loading
  if (unmount === null) throw new Error('The core stopped')
  try {
    unmount = mountModal(stage, shell, { ...options, language })
  } finally {
    mounted()
  }
}

/**
 * Renders the views once into a detached element while the module still loads, when the browser is idle: the first frame with wallets does
 * not wait for the compilation of React's code paths.
 */
export function rehearse(): void {
  const host = document.createElement('div')
  const shadow = host.attachShadow({ mode: 'open' })
  const dialog = shadow.appendChild(document.createElement('dialog'))
  const item = { id: '', name: '', handle: '', icon: false, imageUrl: null, installed: true, recent: false }
  const wallets = { groups: [{ kind: 'injected', items: [item] }], connectors: [] } as const
  const snapshot = { ...idle, connect: { ...idle.connect, discovered: true }, wallets }
  const store = { get: () => snapshot, subscribe: () => () => {} }
  mountModal({ host, shadow, dialog }, { store, dispatch() {}, icon: () => undefined })
}
