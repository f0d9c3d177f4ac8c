import type { ReactNode } from 'react'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Button } from './Button.tsx'
import { lostCss } from './lost.css.ts'

/** One line that says what could not be had, with another try; a busy one is under way. */
export function Lost({ children, busy, onRetry }: { children: ReactNode; busy?: boolean; onRetry: () => void }) {
  useStyle(lostCss)
  const t = useText()
  return (
    <div className="lost" role="status">
      <span>{children}</span>
      <Button kind="plain" icon="retry" busy={busy} onClick={onRetry}>
        {t(busy ? 'loading' : 'tryAgain')}
      </Button>
    </div>
  )
}
