import { lazy, Suspense, useState } from 'react'
import type { MarkProps, Shows } from './Mark.tsx'

/** Without its file there are initials. */
const Mark = lazy(() =>
  import('./Mark.tsx').then(
    (file) => ({ default: file.Mark }),
    () => ({ default: ({ initial }: MarkProps) => initial })
  )
)

/** Number of background colours for initials. */
const tints = 6

/**
 * Picture of a wallet, network or token: the given one; where there is none or it fails to load, the mark of a network or coin that we know,
 * else its initial.
 */
export function Picture({
  src,
  name,
  lazy,
  of
}: {
  src?: string | null | undefined
  name: string
  /** Load lazily: the picture is in a list that may be long. */
  lazy?: boolean
  /** Network or native coin that the picture shows. */
  of?: Shows | undefined
}) {
  const [broken, setBroken] = useState<string>()
  if (src && src !== broken) {
    return (
      <img
        className="tile"
        loading={lazy ? 'lazy' : undefined}
        src={src}
        alt=""
        draggable="false"
        onError={() => setBroken(src)}
      />
    )
  }
  const initial = <Initial name={name} />
  if (!of) return initial
  return (
    <Suspense fallback={<span className="tile" aria-hidden="true" />}>
      <Mark of={of} initial={initial} />
    </Suspense>
  )
}

function Initial({ name }: { name: string }) {
  let sum = 0
  for (const letter of name) sum += letter.codePointAt(0) ?? 0
  return (
    <span className="tile letter" data-tint={sum % tints} aria-hidden="true">
      {[...name.trim()][0]?.toUpperCase() ?? '?'}
    </span>
  )
}
