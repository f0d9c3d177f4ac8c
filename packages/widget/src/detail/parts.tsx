import type { ReactNode } from 'react'
import { useCopying } from '../shell/copying.ts'
import { detailWords } from '../text/detail.ts'
import type { KeyWith } from '../text/keys.ts'
import { useText } from '../text/text.tsx'
import { inSentence } from '../text/token.ts'
import { LinkButton } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import type { Doubt } from '../ui/Doubt.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Floor } from '../ui/Floor.tsx'
import { Icon } from '../ui/Icon.tsx'

/** One line: a name and its value; nothing without a value. */
export function Line({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === undefined || children === '') return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface WholeProps {
  readonly name: string
  readonly text: string | null | undefined
  /** Label of the button, if it isn't `Copy` and the name within a sentence. */
  readonly copy?: string | undefined
  readonly testid: string
}

/** A whole address or hash, which is never shortened, beside a button that copies it. */
export function Whole({ name, text, copy, testid }: WholeProps) {
  const t = useText(detailWords)
  const copying = useCopying(text ?? '')
  if (!text) return null
  return (
    <div className="whole">
      <dt>{name}</dt>
      <dd>
        <bdi dir="ltr" data-testid={testid}>
          {text}
        </bdi>
        <CopyButton {...copying} label={copy ?? t('copyThis', inSentence(name))} testid={`${testid}-copy`} />
      </dd>
    </div>
  )
}

const reasons: Readonly<Record<Doubt, KeyWith<typeof detailWords>>> = {
  suspicious: 'detailSuspicious',
  lookalike: 'detailLookalike',
  both: 'detailBoth',
  unknown: 'detailUnknown'
}

/** Reasons to distrust a token. */
export function Wary({ doubt }: { doubt: Doubt }) {
  const t = useText(detailWords)
  return (
    <p className={doubt === 'unknown' ? 'wary' : 'wary bad'} data-testid="detail-warning">
      <Icon name="warning" />
      <span>{t(reasons[doubt])}</span>
    </p>
  )
}

/** Shown for a row that left the list while its details were open. */
export function Gone() {
  const t = useText(detailWords)
  return <Empty icon="coins" title={t('detailGone')} hint={t('detailGoneHint')} />
}

/** Foot with a link to the explorer; nothing without one. */
export function Explorer({ url }: { url: string | null }) {
  const t = useText(detailWords)
  if (!url) return null
  return (
    <Floor>
      <LinkButton href={url} icon="external">
        {t('viewOnExplorer')}
      </LinkButton>
    </Floor>
  )
}
