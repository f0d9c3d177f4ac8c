import type { Link, LinkKind } from '../generated/core.ts'
import { useDispatch } from '../shell/react.tsx'
import { directoryWords } from '../text/directory.ts'
import type { KeyWith } from '../text/keys.ts'
import { useText } from '../text/text.tsx'
import { Anchor } from '../ui/Anchor.tsx'
import { Icon, type IconName } from '../ui/Icon.tsx'

const words: Readonly<Record<LinkKind, KeyWith<typeof directoryWords>>> = {
  open: 'openWallet',
  webApp: 'webApp',
  chromeStore: 'chromeStore',
  appStore: 'appStore',
  playStore: 'playStore',
  homepage: 'homepage'
}

const icons: Readonly<Record<LinkKind, IconName>> = {
  open: 'phone',
  webApp: 'globe',
  chromeStore: 'screen',
  appStore: 'phone',
  playStore: 'phone',
  homepage: 'globe'
}

interface WayProps {
  readonly link: Link
  /** Name of the wallet. */
  readonly name: string
  readonly look?: 'primary' | 'soft' | 'row'
}

/** Link to a wallet or its store: opens a new tab and sends no referrer. */
export function Way({ link: { kind, href }, name, look = 'soft' }: WayProps) {
  const t = useText(directoryWords)
  const dispatch = useDispatch()
  const row = look === 'row'
  return (
    <Anchor
      className={row ? 'row' : `button ${look}`}
      href={href}
      target={href.startsWith('https:') ? '_blank' : undefined}
      rel="noopener noreferrer"
      data-testid={`w3m-download-${kind}`}
      onClick={() => dispatch({ feature: 'connect', event: { type: 'getAsked', kind } })}
    >
      {row && (
        <span className="tile medal">
          <Icon name={icons[kind]} />
        </span>
      )}
      <span className={row ? 'name' : undefined}>{t(words[kind], name)}</span>
      <Icon name="external" />
    </Anchor>
  )
}
