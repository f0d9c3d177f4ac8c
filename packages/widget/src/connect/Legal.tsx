import { useSnapshot } from '../shell/react.tsx'
import { useText } from '../text/text.tsx'

/** The host's legal pages, where it has any. */
export function Legal() {
  const t = useText()
  const terms = useSnapshot((snapshot) => snapshot.config.termsUrl)
  const privacy = useSnapshot((snapshot) => snapshot.config.privacyUrl)
  if (!terms && !privacy) return null
  return (
    <p className="legal">
      {t('legal')} {terms && <Page href={terms}>{t('terms')}</Page>} {terms && privacy && t('and')}{' '}
      {privacy && <Page href={privacy}>{t('privacy')}</Page>}
    </p>
  )
}

function Page({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}
