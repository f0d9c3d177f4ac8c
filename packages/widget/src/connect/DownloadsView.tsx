import { useIcon, useSnapshot } from '../shell/react.tsx'
import { directoryWords } from '../text/directory.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Picture } from '../ui/Picture.tsx'
import { Way } from './Way.tsx'
import { walletsCss } from './wallets.css.ts'

/** Links to install a wallet that is not in this browser, or to open it on this phone. */
export function DownloadsView() {
  useStyle(walletsCss)
  const t = useText(directoryWords)
  const chosen = useSnapshot((snapshot) => snapshot.directory?.chosen)
  const links = useSnapshot((snapshot) => snapshot.directory?.links)
  const picture = useIcon(chosen)
  if (!chosen || !links) return null
  const opens = links.some(({ kind }) => kind === 'open')
  return (
    <div className="waiting">
      <div className="halo">
        <Picture src={picture} name={chosen.name} />
      </div>
      <div role="status">
        <strong>{t('notInBrowser', chosen.name)}</strong>
        <p>{t(opens ? 'getHintMobile' : 'getHint')}</p>
      </div>
      <div className="rows get">
        {/* The core's first link is the best one for this device. */}
        {links.map((link, index) => (
          <Way key={link.kind} link={link} name={chosen.name} look={index === 0 ? 'primary' : 'row'} />
        ))}
      </div>
    </div>
  )
}
