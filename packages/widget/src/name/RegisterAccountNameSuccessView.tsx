import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { nameWords } from '../text/name.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { nameCss } from './name.css.ts'

/** Confirmation that the name is registered. */
export function RegisterAccountNameSuccessView() {
  useStyle(nameCss)
  const t = useText(nameWords)
  const dispatch = useDispatch()
  const name = useSnapshot((snapshot) => snapshot.name.registered)
  return (
    <div className="registered">
      <span className="seal">
        <Icon name="check" />
      </span>
      <h2>
        <bdi dir="ltr">{name}</bdi>
      </h2>
      <p>{t('nameSuccess')}</p>
      <Button
        kind="primary"
        data-focus=""
        data-testid="name-done"
        onClick={() => dispatch({ feature: 'modal', event: { type: 'backAsked' } })}
      >
        {t('nameDone')}
      </Button>
    </div>
  )
}
