import { type ReactNode, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { View } from '../generated/core.ts'
import { type ShellForViews, useSnapshot } from '../shell/react.tsx'
import { Part } from '../ui/lazy.tsx'
import { Alert } from './Alert.tsx'
import { useFocus } from './focus.ts'
import { type FrozenStore, isShown } from './frozen.ts'
import { Header } from './Header.tsx'
import { LoadingView } from './LoadingView.tsx'

import type { Stand } from './place.ts'
import { usePlaces } from './places.ts'
import { drawnAs, loadNext, views } from './views.ts'

/** Time in milliseconds for which a view stands before the usual next ones are fetched. */
const CALM = 200

interface ModalProps {
  readonly store: FrozenStore
  readonly stand: Stand
  readonly live: ShellForViews['store']
  /** Message below the header, which has room of its own there: it covers neither the header nor the view. */
  readonly children?: ReactNode
}

/** The card with everything in it. */
export function Modal({ store, stand, live, children }: ModalProps) {
  const isLive = () => isShown(live.get())
  const shown = useSyncExternalStore(live.subscribe, isLive, isLive)
  const embedded = useSnapshot((snapshot) => snapshot.config.embedded)
  const shaking = useSnapshot((snapshot) => snapshot.modal.shaking)
  const view = useSnapshot((snapshot) => snapshot.modal.view)
  const depth = useSnapshot((snapshot) => snapshot.modal.depth)
  const card = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (shown) stand.show(embedded)
    // Before its first opening the dialog belongs to the curtain.
    else if (store.opening) stand.hide()
  }, [shown, embedded, stand, store])
  usePlaces(body, view, depth, shown)
  useFocus(card, view, depth, shown, embedded)
  useEffect(() => {
    if (!shown) return
    // After a click React calls this before the paint. Prefetching at once would delay the view, and the account of a wallet that answers at once.
    const timer = setTimeout(loadNext, CALM, view)
    return () => clearTimeout(timer)
  }, [shown, view])

  const role = embedded ? undefined : ({ role: 'dialog', 'aria-modal': true, 'aria-labelledby': 'title' } as const)
  return (
    <div ref={card} className={shaking ? 'card shaking' : 'card'} data-testid="w3m-modal-card" {...role}>
      <Header />
      {children}
      <Alert />
      <div className="body" ref={body}>
        <div className="content">
          <Stack key={store.opening} view={view} depth={depth} />
        </div>
      </div>
    </div>
  )
}

/** Current view with its transition: a deeper view slides in from the end side, on the way back from the start side. */
function Stack({ view, depth }: { view: View; depth: number }) {
  const drawn = useSnapshot(drawnAs)
  // The core would keep only the last letter that is typed before its part is there.
  const missing = useSnapshot((snapshot) => snapshot.modal.partMissing)
  // A required sign-in has a button to disconnect, also while its part is missing.
  const held = missing && drawn !== 'SIWXSignMessage'
  const before = useRef({ view, depth })
  const moved = before.current.view !== view
  const way = moved ? (depth < before.current.depth ? 'backward' : 'forward') : ''
  useLayoutEffect(() => {
    before.current = { view, depth }
  }, [view, depth])
  return (
    <Entrance key={view} way={way}>
      <Part key={drawn} of={views} name={drawn} skeleton={LoadingView} held={held} />
    </Entrance>
  )
}

function Entrance({ way, children }: { way: string; children: ReactNode }) {
  const [came] = useState(way)
  return <div className={`view ${came}`}>{children}</div>
}
