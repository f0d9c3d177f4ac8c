import { buyWords } from '../text/buy.ts'
import { useText } from '../text/text.tsx'
import { Lesson } from '../ui/Lesson.tsx'

/** Short introduction to buying coins. It names no provider. */
export function WhatIsABuyView() {
  const t = useText(buyWords)
  return (
    <Lesson
      items={[
        { icon: 'coins', title: t('buyWhat'), text: t('buyWhatHint') },
        { icon: 'shield', title: t('buyWho'), text: t('buyWhoHint') },
        { icon: 'wallet', title: t('buyWhere'), text: t('buyWhereHint') }
      ]}
    />
  )
}
