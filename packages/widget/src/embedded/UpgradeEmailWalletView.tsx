import { useSnapshot } from '../shell/react.tsx'
import { loginWords } from '../text/login.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Empty } from '../ui/Empty.tsx'
import { FrameSlot } from '../ui/FrameSlot.tsx'
import { Icon } from '../ui/Icon.tsx'
import { loginCss } from '../ui/login.css.ts'
import { Waiting } from '../ui/Waiting.tsx'

/** Room for the settings of the wallet, which the frame draws: no key and no code ever comes here. */
export function UpgradeEmailWalletView() {
  useStyle(loginCss)
  const t = useText(loginWords)
  const shown = useSnapshot((snapshot) => snapshot.embedded.settings)
  const phase = useSnapshot((snapshot) => snapshot.embedded.phase)
  // The frame is done, and the account of the opened wallet is on its way.
  if (!shown && phase === 'entering') {
    const medal = (
      <span className="tile medal">
        <Icon name="shield" />
      </span>
    )
    return <Waiting picture={medal} phase="waiting" title={t('codeEntering')} hint={t('socialEnteringHint')} />
  }
  if (!shown) return <Empty icon="shield" title={t('settingsClosed')} hint={t('settingsClosedHint')} />
  return (
    <div className="room" data-testid="w3m-settings-room">
      <FrameSlot />
    </div>
  )
}
