import { useSnapshot } from '../shell/react.tsx'
import { loginWords } from '../text/login.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Empty } from '../ui/Empty.tsx'
import { FrameSlot } from '../ui/FrameSlot.tsx'
import { loginCss } from '../ui/login.css.ts'

/** Room for the frame, in which the visitor decides about a request. The frame stays where it is in the page; the slot only shows it here. */
export function ApproveTransactionView() {
  useStyle(loginCss)
  const t = useText(loginWords)
  const approving = useSnapshot((snapshot) => snapshot.embedded.approving)
  if (!approving) return <Empty icon="shield" title={t('nothingToApprove')} hint={t('nothingToApproveHint')} />
  return (
    <div className="room" data-testid="w3m-approve-room">
      <FrameSlot />
    </div>
  )
}
