import { useSnapshot } from '../shell/react.tsx'
import { useText } from '../text/text.tsx'
import { BoneRows } from '../ui/Row.tsx'

/** Skeleton of a view whose file is loading. */
export function LoadingView() {
  const view = useSnapshot((snapshot) => snapshot.modal.view)
  const t = useText()
  const rows = <BoneRows count={3} label={t('loading')} />
  if (view !== 'Account' && view !== 'SwitchNetwork') return rows
  return (
    <>
      <div className="empty" aria-hidden="true">
        <i className="medal bone" />
        <i className="word bone" />
      </div>
      {rows}
    </>
  )
}
