import type { Link, LinkKind } from '../generated/core.ts'
import { useIcon, useSnapshot } from '../shell/react.tsx'
import type { Key } from '../text/en.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Icon } from '../ui/Icon.tsx'
import { Picture } from '../ui/Picture.tsx'
import { walletsCss } from './wallets.css.ts'

const words: Readonly<Record<LinkKind, Key>> = {
  open: 'openWallet',
  webApp: 'webApp',
  chromeStore: 'chromeStore',
  appStore: 'appStore',
  playStore: 'playStore',
  homepage: 'homepage'
}

/** Where to get a wallet that is not in this browser, or how to open it on this phone. */
export function DownloadsView() {
  useStyle(walletsCss)
  const t = useText()
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
        {links.map((link) => (
          <Way key={link.kind} link={link} name={chosen.name} />
        ))}
      </div>
    </div>
  )
}

/** Leaves the page where it is, and tells nobody where the visitor came from. */
function Way({ link: { kind, href }, name }: { link: Link; name: string }) {
  const t = useText()
  return (
    <a
      className={`button ${kind === 'open' ? 'primary' : 'soft'}`}
      href={href}
      target={href.startsWith('https:') ? '_blank' : undefined}
      rel="noopener noreferrer"
      data-testid={`w3m-download-${kind}`}
    >
      <span>{t(words[kind], name)}</span>
      <Icon name="external" />
    </a>
  )
}
