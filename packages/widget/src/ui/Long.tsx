import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'

/** So many rows are drawn, or left out, together. */
const BLOCK = 20

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
  /** It is part of a list that goes on below, or it stands below one. */
  readonly part?: boolean
  /** It is not the first part. */
  readonly later?: boolean
}

/** A list of any length: rows far from what is seen are an empty space of their height, so that thousands cost no more than some. */
export function Long<Item>({ items, keyOf, row, busy, part, later }: LongProps<Item>) {
  const blocks: (readonly Item[])[] = []
  for (let at = 0; at < items.length; at += BLOCK) blocks.push(items.slice(at, at + BLOCK))
  const known = items.length > FEW
  return (
    // biome-ignore lint/a11y/useSemanticElements: a <ul> may not hold the blocks that its rows stand in
    <div className="rows" role="list" aria-busy={busy || undefined}>
      {blocks.map((block, number) => (
        <Block
          // biome-ignore lint/suspicious/noArrayIndexKey: a block is a place in the list, whatever stands in it
          key={number}
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
                aria-setsize={known ? items.length : undefined}
                aria-posinset={known ? number * BLOCK + index + 1 : undefined}
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
      if (last.isIntersecting) setSpace(undefined)
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

/** What the rows scroll in: the card where it is too small for them, else the page. */
function scrollerOf(element: Element): Element | null {
  const body = element.closest('.body')
  return body && body.scrollHeight > body.clientHeight ? body : null
}
