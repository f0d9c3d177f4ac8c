import { useState } from 'react'

/** Number of background colours for initials. */
const tints = 6

/** Picture of a wallet or network; its initial where there is none or it fails to load. */
export function Picture({
  src,
  name,
  lazy
}: {
  src?: string | null | undefined
  name: string
  /** Load lazily: the picture is in a list that may be long. */
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
