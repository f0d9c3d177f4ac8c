import { Avatar } from '../account/Avatar.tsx'
import { activeAccount } from '../shell/active.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { nameWords } from '../text/name.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Button } from '../ui/Button.tsx'
import { Lesson } from '../ui/Lesson.tsx'
import { nameCss } from './name.css.ts'

/** Introduction to account names: their purpose and what registering one takes. */
export function ChooseAccountNameView() {
  useStyle(nameCss)
  const t = useText(nameWords)
  const dispatch = useDispatch()
  const parent = useSnapshot((snapshot) => snapshot.name.parent)
  const account = useSnapshot(activeAccount)
  const example = `alice.${parent}`
  return (
    <div className="naming">
      <div className="sample" aria-hidden="true">
        {account?.address && <Avatar address={account.address} />}
        <span>
          <bdi className="clip" dir="ltr">
            {example}
          </bdi>
          <bdi className="clip" dir="ltr">
            {account?.shortAddress}
          </bdi>
        </span>
      </div>
      <h2>{t('nameWhy')}</h2>
      <Lesson
        items={[
          { icon: 'send', title: t('nameInstead'), text: t('nameInsteadHint', example) },
          { icon: 'globe', title: t('nameShown'), text: t('nameShownHint') },
          { icon: 'shield', title: t('nameFree'), text: t('nameFreeHint') }
        ]}
      />
      <Button
        kind="primary"
        disabled={!parent}
        data-focus=""
        data-ahead="RegisterAccountName"
        data-testid="name-begin"
        onClick={() => dispatch({ feature: 'modal', event: { type: 'viewAsked', view: 'RegisterAccountName' } })}
      >
        {t('chooseName')}
      </Button>
    </div>
  )
}
