import { useText } from '../text/text.tsx'
import { tokenWords } from '../text/token.ts'
import { useStyle } from '../theme/style.ts'
import { Icon } from './Icon.tsx'
import { tokenCss } from './token.css.ts'

interface HiddenTokensProps {
  readonly count: number
  readonly open: boolean
  readonly onToggle: () => void
}

/** Row that opens and closes the hidden tokens below it; nothing if there are none. */
export function HiddenTokens({ count, open, onToggle }: HiddenTokensProps) {
  useStyle(tokenCss)
  const t = useText(tokenWords)
  if (count === 0) return null
  return (
    <button type="button" className="row veiled" aria-expanded={open} data-testid="hidden-tokens" onClick={onToggle}>
      <span className="tile medal">
        <Icon name="hidden" />
      </span>
      <span className="name">
        <span>{t('tokenHidden', String(count))}</span>
        <small>{t('tokenHiddenHint')}</small>
      </span>
      <Icon name="down" />
    </button>
  )
}
