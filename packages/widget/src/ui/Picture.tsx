import { lazy, Suspense, useState } from 'react'
import type { Shows } from '../generated/marks.ts'
import type { MarkProps } from './Mark.tsx'

/** Without its file there are other pictures. */
const Mark = lazy(() =>
  import('./Mark.tsx').then(
    (file) => ({ default: file.Mark }),
    () => ({ default: ({ otherwise }: MarkProps) => otherwise })
  )
)

/** Number of background colours for initials. */
const tints = 6

/**
 * Picture of a wallet, network or token: the given one; where there is none or it fails to load, the mark of a network that we know, else its
 * initial. A coin that we know has its own mark, because the given picture is often that of its network.
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
  const given =
    src && src !== broken ? (
      <img
        className="tile"
        loading={lazy ? 'lazy' : undefined}
        src={src}
        alt=""
        draggable="false"
        onError={() => setBroken(src)}
      />
    ) : null
  if (!of || (given && 'network' in of)) return given ?? <Initial name={name} />
  return (
    <Suspense fallback={<span className="tile" aria-hidden="true" />}>
      <Mark of={of} otherwise={given ?? <Initial name={name} />} />
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
