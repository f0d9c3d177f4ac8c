import { lessonWords } from '../text/lesson.ts'
import { useText } from '../text/text.tsx'
import { Lesson } from '../ui/Lesson.tsx'

/** Short introduction to wallets. It names no vendor. */
export function WhatIsAWalletView() {
  const t = useText(lessonWords)
  return (
    <Lesson
      items={[
        { icon: 'wallet', title: t('walletHome'), text: t('walletHomeHint') },
        { icon: 'key', title: t('walletLogin'), text: t('walletLoginHint') },
        { icon: 'shield', title: t('walletChoice'), text: t('walletChoiceHint') }
      ]}
    />
  )
}
