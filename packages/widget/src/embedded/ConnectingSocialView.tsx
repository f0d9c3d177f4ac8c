import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { loginWords } from '../text/login.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Button } from '../ui/Button.tsx'
import { faultText } from '../ui/loginFault.ts'
import { SocialMark } from '../ui/SocialMark.tsx'
import { socialCss } from '../ui/social.css.ts'
import { Waiting } from '../ui/Waiting.tsx'

/** Social login under way: the visitor is at the service, comes back, or reads why it failed. */
export function ConnectingSocialView() {
  useStyle(socialCss)
  const t = useText(loginWords)
  const dispatch = useDispatch()
  const { chosen, phase, fault } = useSnapshot((snapshot) => snapshot.embedded.social)
  if (!chosen) return null
  const failed = phase === 'failed'
  const title = {
    idle: t('socialAway', chosen.name),
    opening: t('socialOpening', chosen.name),
    away: t('socialAway', chosen.name),
    signing: t('socialAway', chosen.name),
    entering: t('codeEntering'),
    failed: t('socialFailed')
  }[phase]
  const hint = failed ? faultText(fault, t) : t(phase === 'entering' ? 'socialEnteringHint' : 'socialAwayHint')
  return (
    <Waiting
      picture={
        <span className="tile">
          <SocialMark id={chosen.id} />
        </span>
      }
      phase={failed ? 'wrong' : 'waiting'}
      title={title}
      hint={hint ?? ''}
    >
      {failed && (
        <Button
          kind="primary"
          icon="retry"
          data-testid="w3m-connecting-social-retry"
          onClick={() => dispatch({ feature: 'embedded', event: { type: 'socialRetryAsked' } })}
        >
          {t('tryAgain')}
        </Button>
      )}
    </Waiting>
  )
}
