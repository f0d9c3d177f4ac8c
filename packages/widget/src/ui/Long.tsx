import { type ReactNode, startTransition, useLayoutEffect, useRef, useState } from 'react'

/**
 * Number of rows per block, which are rendered or left out together; fewer for search results, which are rendered again for each keystroke.
 */
const BLOCK = 20
const SOUGHT = 10

/** Estimated height of a row with its gap, and the gap, in pixels, until they are measured. */
const PITCH = 64
const GAP = 8

/** Distance from the visible area, in pixels, within which rows are rendered. */
const AHEAD = 800

/** Longest list whose rows need no position attributes. */
const FEW = BLOCK

interface LongProps<Item> {
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  readonly row: (item: Item) => ReactNode
  readonly busy?: boolean | undefined
  /** Total number of search results, of which `items` are the first. */
  readonly found?: number
  /** Whether the list continues below, or another part is above it. */
  readonly part?: boolean
  /** Whether it is not the first part. */
  readonly later?: boolean
}

/** List of any length: rows far from the visible area become empty space of their height, so that thousands cost no more than a few. */
export function Long<Item>({ items, keyOf, row, busy, found, part, later }: LongProps<Item>) {
  const count = found ?? items.length
  const size = found === undefined ? BLOCK : SOUGHT
  const blocks: (readonly Item[])[] = []
  for (let at = 0; at < items.length; at += size) blocks.push(items.slice(at, at + size))
  const known = count > FEW
  return (
    // biome-ignore lint/a11y/useSemanticElements: a <ul> may not hold the blocks that its rows stand in
    <div className="rows" role="list" aria-busy={busy || undefined}>
      {blocks.map((block, number) => (
        <Block
          // A block's key is its position. For search results all but the first have the first item's key, so that new results start as
          // empty blocks.
          key={found !== undefined && number > 0 && block[0] ? keyOf(block[0]) : number}
          count={block.length}
          still={!part && blocks.length === 1}
          first={number === 0 && !later}
        >
          {() =>
            block.map((item, index) => (
              // biome-ignore lint/a11y/useSemanticElements: see above
              <div
                role="listitem"
                key={keyOf(item)}
                aria-setsize={known ? count : undefined}
                aria-posinset={known ? number * size + index + 1 : undefined}
              >
                {row(item)}
              </div>
            ))
          }
        </Block>
      ))}
    </div>
  )
}

/** Block of rows that are rendered or left out together. */
function Block({
  count,
  still,
  first,
  children
}: {
  count: number
  still: boolean
  first: boolean
  children: () => ReactNode
}) {
  const place = useRef<HTMLDivElement>(null)
  /** Height of the empty space; undefined while the rows are rendered. */
  const [space, setSpace] = useState<number | undefined>(
    first || still || typeof IntersectionObserver === 'undefined' ? undefined : count * PITCH - GAP
  )
  useLayoutEffect(() => {
    const element = place.current
    if (still || !element || typeof IntersectionObserver === 'undefined') return
    const follow = (entries: IntersectionObserverEntry[]) => {
      const last = entries.at(-1)
      if (!last) return
      // Typing has priority over rendering the rows.
      if (last.isIntersecting) startTransition(() => setSpace(undefined))
      // A block with the focused row stays.
      else if (!element.contains(focused(element))) setSpace(last.boundingClientRect.height)
    }
    const observer = new IntersectionObserver(follow, { root: scrollerOf(element), rootMargin: `${AHEAD}px 0px` })
    observer.observe(element)
    return () => observer.disconnect()
  }, [still])
  return (
    <div ref={place} className={space === undefined ? 'rows' : 'far'} style={{ height: space }}>
      {space === undefined && children()}
    </div>
  )
}

function focused(within: Element): Element | null {
  return (within.getRootNode() as Document | ShadowRoot).activeElement
}

/** Cards that overflowed before; measuring again would force a layout. */
const scrolling = new WeakSet<Element>()

/** Scroll container of the rows: the card if it overflows, else the page. */
function scrollerOf(element: Element): Element | null {
  const body = element.closest('.body')
  if (body && !scrolling.has(body) && body.scrollHeight > body.clientHeight) scrolling.add(body)
  return body && scrolling.has(body) ? body : null
}
