import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { lessonWords } from '../text/lesson.ts'
import { useText } from '../text/text.tsx'
import { Button } from '../ui/Button.tsx'
import { Lesson } from '../ui/Lesson.tsx'

/** Short introduction to wallets. It names no vendor; where the host lists wallets, it leads to them. */
export function WhatIsAWalletView() {
  const t = useText(lessonWords)
  const dispatch = useDispatch()
  const all = useSnapshot((snapshot) => snapshot.directory?.all)
  return (
    <>
      <Lesson
        items={[
          { icon: 'wallet', title: t('walletHome'), text: t('walletHomeHint') },
          { icon: 'key', title: t('walletLogin'), text: t('walletLoginHint') },
          { icon: 'shield', title: t('walletChoice'), text: t('walletChoiceHint') }
        ]}
      />
      {all && (
        <Button
          kind="primary"
          data-ahead="AllWallets"
          data-testid="get-a-wallet"
          onClick={() => dispatch({ feature: 'modal', event: { type: 'viewAsked', view: 'AllWallets' } })}
        >
          {t('walletFind')}
        </Button>
      )}
    </>
  )
}
