import { useSnapshot } from '../shell/react.tsx'
import { useText } from '../text/text.tsx'

/** The host's legal pages, where it has any. */
export function Legal() {
  const t = useText()
  const any = useSnapshot(({ config }) => config.termsUrl || config.privacyUrl)
  if (!any) return null
  return (
    <p className="legal">
      {t('legal')} <Pages />
    </p>
  )
}

/** Their names, each a link that leaves this page where it is. */
export function Pages() {
  const t = useText()
  const terms = useSnapshot((snapshot) => snapshot.config.termsUrl)
  const privacy = useSnapshot((snapshot) => snapshot.config.privacyUrl)
  return (
    <>
      {terms && <Page href={terms}>{t('terms')}</Page>} {terms && privacy && t('and')}{' '}
      {privacy && <Page href={privacy}>{t('privacy')}</Page>}
    </>
  )
}

function Page({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}
