import { useState } from 'react'
import { useSnapshot } from '../shell/react.tsx'
import { swapWords } from '../text/swap.ts'
import { useText } from '../text/text.tsx'
import { Sweep } from '../ui/Sweep.tsx'

/** Clock that empties until the next quote. Style sheets run it, so that nothing is rendered meanwhile. */
export function Rest() {
  const t = useText(swapWords)
  const rest = useSnapshot((snapshot) => snapshot.swap.rest)
  if (!rest) return <span className="rest spinner" aria-hidden="true" />
  return <Clock key={rest.until} {...rest} title={t('swapRefresh')} />
}

function Clock({ from, until, title }: { from: number; until: number; title: string }) {
  // A view that is drawn later starts where the time is.
  const [gone] = useState(() => Math.min(Math.max(Date.now() - from, 0), until - from))
  return (
    <svg className="rest" viewBox="0 0 16 16" aria-hidden="true">
      <title>{title}</title>
      <circle cx="8" cy="8" r="6.5" />
      <Sweep whole={until - from} gone={gone} />
    </svg>
  )
}
