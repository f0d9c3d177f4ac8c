import { useSnapshot } from '../shell/react.tsx'
import { loginWords } from '../text/login.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Empty } from '../ui/Empty.tsx'
import { FrameSlot } from '../ui/FrameSlot.tsx'
import { loginCss } from '../ui/login.css.ts'

/** Room for the settings of the wallet, which the frame draws: no key and no code ever comes here. */
export function UpgradeEmailWalletView() {
  useStyle(loginCss)
  const t = useText(loginWords)
  const shown = useSnapshot((snapshot) => snapshot.embedded.settings)
  if (!shown) return <Empty icon="shield" title={t('settingsClosed')} hint={t('settingsClosedHint')} />
  return (
    <div className="room" data-testid="w3m-settings-room">
      <FrameSlot />
    </div>
  )
}
