import { type ReactNode, startTransition, useLayoutEffect, useRef, useState } from 'react'

/** So many rows are drawn, or left out, together; of what a search found fewer, for each letter of it draws them anew. */
const BLOCK = 20
const SOUGHT = 10

/** A row and the gap below it, until they were measured; in pixels. */
const PITCH = 64
const GAP = 8

/** Rows that come into view within so many pixels are drawn. */
const AHEAD = 800

/** Whose rows need no place among the others. */
const FEW = BLOCK

interface LongProps<Item> {
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  readonly row: (item: Item) => ReactNode
  readonly busy?: boolean | undefined
  /** It is what a search found: how many there are in all, of which these are the first. */
  readonly found?: number
  /** It is part of a list that goes on below, or it stands below one. */
  readonly part?: boolean
  /** It is not the first part. */
  readonly later?: boolean
}

/** A list of any length: rows far from what is seen are an empty space of their height, so that thousands cost no more than some. */
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
          // A block is a place in the list, whatever stands in it; but below the first it is empty again when a search found something else.
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

/** Rows that come and go together. */
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
  /** The height of what is not drawn. */
  const [space, setSpace] = useState<number | undefined>(
    first || still || typeof IntersectionObserver === 'undefined' ? undefined : count * PITCH - GAP
  )
  useLayoutEffect(() => {
    const element = place.current
    if (still || !element || typeof IntersectionObserver === 'undefined') return
    const follow = (entries: IntersectionObserverEntry[]) => {
      const last = entries.at(-1)
      if (!last) return
      // A letter that is typed meanwhile goes first.
      if (last.isIntersecting) startTransition(() => setSpace(undefined))
      // Whoever stands on a row keeps it.
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

/** Cards that were once too small for their rows: to look again would have the page laid out at once. */
const scrolling = new WeakSet<Element>()

/** What the rows scroll in: the card where it is too small for them, else the page. */
function scrollerOf(element: Element): Element | null {
  const body = element.closest('.body')
  if (body && !scrolling.has(body) && body.scrollHeight > body.clientHeight) scrolling.add(body)
  return body && scrolling.has(body) ? body : null
}
