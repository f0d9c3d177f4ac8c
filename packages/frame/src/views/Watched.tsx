import { type ReactNode, useEffect, useRef } from 'react'
import type { FrameUiEvent } from '../generated/frame.ts'

interface Parts {
  readonly approval: number
  readonly revision: number
  dispatch(event: FrameUiEvent): void
  /** Class of the place of the buttons: at the end of the page if there is none. */
  readonly place?: string
  readonly children: ReactNode
}

/** Options of Intersection Observer, version 2: Chromium alone can tell whether something covers an element. */
interface Visibility extends IntersectionObserverInit {
  readonly trackVisibility: boolean
  readonly delay: number
}

/** Shortest delay that browsers allow, in milliseconds. */
const DELAY = 100

/** Buttons of a decision; tells the machine when they are on the screen, moved, or covered. */
export function Watched({ approval, revision, dispatch, place: name = 'decision', children }: Parts) {
  const place = useRef<HTMLDivElement>(null)
  const tell = useRef(dispatch)
  tell.current = dispatch
  // A first click into an unfocused frame would focus it, and so begin the second of standing still anew.
  useEffect(() => place.current?.focus({ preventScroll: true }), [])
  useEffect(() => {
    // The second frame begins when the first one was painted.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => tell.current({ type: 'approvalPainted', approval, revision }))
    })
    return () => cancelAnimationFrame(frame)
  }, [approval, revision])
  useEffect(() => (place.current ? watch(place.current, (event) => tell.current(event)) : undefined), [])
  return (
    <div className={name} ref={place} tabIndex={-1}>
      {children}
    </div>
  )
}

function watch(element: Element, tell: (event: FrameUiEvent) => void): () => void {
  // The focus of the window counts, not that of a button in it, which the click on the button itself brings.
  const disturbed = ({ type, target }: Event) => {
    if (type !== 'focus' || !(target instanceof Element)) tell({ type: 'approvalDisturbed' })
  }
  const events = ['resize', 'focus', 'scroll'] as const
  for (const event of events) window.addEventListener(event, disturbed, { capture: true })
  document.addEventListener('visibilitychange', disturbed)
  const observer = new IntersectionObserver(
    (entries) => {
      const last = entries.at(-1) as (IntersectionObserverEntry & { isVisible?: boolean }) | undefined
      // Other browsers do not know `isVisible`; there the time alone counts.
      if (last?.isVisible !== undefined) tell({ type: 'approvalCovered', covered: !last.isVisible })
    },
    { threshold: [0, 1], trackVisibility: true, delay: DELAY } as Visibility
  )
  observer.observe(element)
  return () => {
    observer.disconnect()
    document.removeEventListener('visibilitychange', disturbed)
    for (const event of events) window.removeEventListener(event, disturbed, { capture: true })
  }
}
