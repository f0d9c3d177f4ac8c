import { useState } from 'react'

/** Names of one letter spread over so many colours. */
const tints = 6

/** A wallet's or a network's picture; its first letter while there is none, or where it cannot be drawn. */
export function Picture({
  src,
  name,
  lazy
}: {
  src?: string | null | undefined
  name: string
  /** It stands in a list that may be long. */
  lazy?: boolean
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
  let sum = 0
  for (const letter of name) sum += letter.codePointAt(0) ?? 0
  return (
    <span className="tile letter" data-tint={sum % tints} aria-hidden="true">
      {[...name.trim()][0]?.toUpperCase() ?? '?'}
    </span>
  )
}
