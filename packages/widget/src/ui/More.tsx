import { useEffect, useRef } from 'react'
import { useText } from '../text/text.tsx'
import { Button } from './Button.tsx'

/** End of a list with more pages: the next page is requested when it scrolls into view, or by its button. */
export function More({ busy, onWanted }: { busy: boolean; onWanted: () => void }) {
  const t = useText()
  const place = useRef<HTMLDivElement>(null)
  const wanted = useRef(onWanted)
  wanted.current = onWanted
  useEffect(() => {
    if (busy || !place.current || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) wanted.current()
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [busy])
  return (
    <div className="foot" ref={place}>
      <Button kind="plain" busy={busy} onClick={onWanted}>
        {t(busy ? 'loading' : 'showMore')}
      </Button>
    </div>
  )
}
