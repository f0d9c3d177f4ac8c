import type { Link, LinkKind } from '../generated/core.ts'
import { useDispatch } from '../shell/react.tsx'
import { directoryWords } from '../text/directory.ts'
import type { KeyWith } from '../text/keys.ts'
import { useText } from '../text/text.tsx'
import { Anchor } from '../ui/Anchor.tsx'
import { Icon } from '../ui/Icon.tsx'

const words: Readonly<Record<LinkKind, KeyWith<typeof directoryWords>>> = {
  open: 'openWallet',
  webApp: 'webApp',
  chromeStore: 'chromeStore',
  appStore: 'appStore',
  playStore: 'playStore',
  homepage: 'homepage'
}

/** Link to a wallet or its store: opens a new tab and sends no referrer. */
export function Way({ link: { kind, href }, name }: { link: Link; name: string }) {
  const t = useText(directoryWords)
  const dispatch = useDispatch()
  return (
    <Anchor
      className={`button ${kind === 'open' ? 'primary' : 'soft'}`}
      href={href}
      target={href.startsWith('https:') ? '_blank' : undefined}
      rel="noopener noreferrer"
      data-testid={`w3m-download-${kind}`}
      onClick={() => dispatch({ feature: 'connect', event: { type: 'getAsked', kind } })}
    >
      <span>{t(words[kind], name)}</span>
      <Icon name="external" />
    </Anchor>
  )
}
