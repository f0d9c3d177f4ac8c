import { useText } from '../text/text.tsx'
import { Icon } from './Icon.tsx'

/** Mark of the selected item in a list. */
export function Chosen() {
  const t = useText()
  return (
    <span className="mark">
      <Icon name="check" />
      <span className="unseen">{t('current')}</span>
    </span>
  )
}
