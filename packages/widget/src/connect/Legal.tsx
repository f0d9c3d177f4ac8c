import { useSnapshot } from '../shell/react.tsx'
import { useText } from '../text/text.tsx'
import { Anchor } from '../ui/Anchor.tsx'

/** Links to the host's legal pages; nothing where it has none. */
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

/** Names of the legal pages, each a link to a new tab. */
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
    <Anchor href={href} target="_blank" rel="noreferrer">
      {children}
    </Anchor>
  )
}
