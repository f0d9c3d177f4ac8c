import type { ReactNode } from 'react'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Button } from './Button.tsx'
import { lostCss } from './lost.css.ts'

/** Error line with a retry button; `busy` while the retry runs. */
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
