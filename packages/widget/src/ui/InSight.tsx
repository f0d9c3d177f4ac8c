import { type ComponentProps, useEffect, useRef } from 'react'

interface InSightProps extends ComponentProps<'div'> {
  /** Whether there is something to see. */
  readonly when: boolean
}

/** Place of a message that scrolls into view once the message comes: it may be below the fold, behind the button of a form. */
export function InSight({ when, ...props }: InSightProps) {
  const place = useRef<HTMLDivElement>(null)
  const before = useRef(when)
  useEffect(() => {
    if (when && !before.current) place.current?.scrollIntoView({ block: 'nearest' })
    before.current = when
  }, [when])
  return <div ref={place} {...props} />
}
