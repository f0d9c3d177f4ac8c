import { useLayoutEffect } from 'react'
import { createPortal } from 'react-dom'
import { useSnapshot } from '../shell/react.tsx'
import { Alert, alertOverPage } from './Alert.tsx'
import { isShown } from './frozen.ts'
import type { Stand } from './place.ts'
import { Snack } from './Snack.tsx'

/** Messages while the modal is closed. Each new one is raised above everything that the page has put on top meanwhile. */
export function OverPage({ stand }: { stand: Stand }) {
  const alert = useSnapshot(alertOverPage)
  const snack = useSnapshot((snapshot) => (isShown(snapshot) ? null : snapshot.notice.snack))
  useLayoutEffect(() => (alert || snack ? stand.rise() : undefined), [alert, snack, stand])
  return createPortal(
    <>
      <Snack overPage />
      <Alert overPage />
    </>,
    stand.overPage
  )
}
