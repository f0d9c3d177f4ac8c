import type { Social, SocialItem } from '../generated/core.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { loginWords } from '../text/login.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Icon } from '../ui/Icon.tsx'
import { loginCss } from '../ui/login.css.ts'
import { SocialMark } from '../ui/SocialMark.tsx'
import { SocialRow } from '../ui/SocialRow.tsx'
import { socialCss } from '../ui/social.css.ts'
import { Or } from './Or.tsx'

/** So many services stand in one line; more of them are in a view of their own. */
const LINE = 5

/** Services of social logins among the connect methods; nothing where the server has none. */
export function SocialLogin() {
  useStyle(loginCss)
  useStyle(socialCss)
  const offered = useSnapshot((snapshot) => snapshot.embedded.social.offered)
  return (
    <>
      <Or method="social" />
      {offered ? <Services offered={offered} /> : <div className="row bone social-bone" />}
      <Or method="social" after />
    </>
  )
}

function Services({ offered }: { offered: readonly SocialItem[] }) {
  const t = useText(loginWords)
  const dispatch = useDispatch()
  const held = useSnapshot((snapshot) => snapshot.connect.consent === 'missing')
  const choose = (social: Social) => () => dispatch({ feature: 'embedded', event: { type: 'socialChosen', social } })
  if (offered.length === 0) return null
  if (offered.length < 3) {
    return (
      <ul className="rows few" aria-label={t('socialLogins')} data-testid="w3m-social-login-widget">
        {offered.map((item) => (
          <li key={item.id}>
            <SocialRow
              item={item}
              name={t('socialContinue', item.name)}
              heldBy={held ? 'consent' : undefined}
              onClick={choose(item.id)}
            />
          </li>
        ))}
      </ul>
    )
  }
  const shown = offered.length > LINE ? offered.slice(0, LINE - 1) : offered
  return (
    <ul className="socials" aria-label={t('socialLogins')} data-testid="w3m-social-login-widget">
      {shown.map(({ id, name }) => (
        <li key={id}>
          <button
            type="button"
            className="row"
            title={name}
            aria-label={t('socialContinue', name)}
            aria-disabled={held || undefined}
            aria-describedby={held ? 'consent' : undefined}
            data-testid={`social-selector-${id}`}
            data-ahead="ConnectingSocial"
            onClick={held ? undefined : choose(id)}
          >
            <SocialMark id={id} />
          </button>
        </li>
      ))}
      {shown.length < offered.length && (
        <li>
          <button
            type="button"
            className="row"
            aria-label={t('socialMore')}
            data-testid="social-selector-more"
            data-ahead="ConnectSocials"
            onClick={() => dispatch({ feature: 'modal', event: { type: 'viewAsked', view: 'ConnectSocials' } })}
          >
            <Icon name="plus" />
          </button>
        </li>
      )}
    </ul>
  )
}
