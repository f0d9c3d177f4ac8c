import { lessonWords } from '../text/lesson.ts'
import { useText } from '../text/text.tsx'
import { Lesson } from '../ui/Lesson.tsx'

/** Short introduction to networks. */
export function WhatIsANetworkView() {
  const t = useText(lessonWords)
  return (
    <Lesson
      items={[
        { icon: 'globe', title: t('networkWhat'), text: t('networkWhatHint') },
        { icon: 'layers', title: t('networkMany'), text: t('networkManyHint') },
        { icon: 'coins', title: t('networkFee'), text: t('networkFeeHint') }
      ]}
    />
  )
}
