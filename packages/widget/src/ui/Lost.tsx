import type { ReactNode } from 'react'
import { useText } from '../text/text.tsx'
import { Button } from './Button.tsx'

/** One line that says what could not be had, with another try. */
export function Lost({ children, onRetry }: { children: ReactNode; onRetry: () => void }) {
  const t = useText()
  return (
    <div className="lost" role="status">
      <span>{children}</span>
      <Button kind="plain" icon="retry" onClick={onRetry}>
        {t('tryAgain')}
      </Button>
    </div>
  )
}
