import { useText } from '../text/text.tsx'
import { Icon } from './Icon.tsx'

/** The mark of what is chosen in a list. */
export function Chosen() {
  const t = useText()
  return (
    <span className="mark">
      <Icon name="check" />
      <span className="unseen">{t('current')}</span>
    </span>
  )
}
