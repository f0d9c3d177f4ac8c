import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { loginWords } from '../text/login.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Anchor } from '../ui/Anchor.tsx'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { loginCss } from '../ui/login.css.ts'
import { faultText } from '../ui/loginFault.ts'
import { QrCode } from '../ui/QrCode.tsx'
import { SocialMark } from '../ui/SocialMark.tsx'
import { socialCss } from '../ui/social.css.ts'
import { Waiting } from '../ui/Waiting.tsx'

/** Login by Farcaster: its app opens the address, by a code on another device or by a link on this one. */
export function ConnectingFarcasterView() {
  useStyle(loginCss)
  useStyle(socialCss)
  const t = useText(loginWords)
  const dispatch = useDispatch()
  const { phase, fault, url, qr } = useSnapshot((snapshot) => snapshot.embedded.social)
  const mobile = useSnapshot((snapshot) => snapshot.embedded.social.mobile)
  const copied = useSnapshot((snapshot) => snapshot.copied)
  if (phase === 'failed' || phase === 'entering') {
    const failed = phase === 'failed'
    return (
      <Waiting
        picture={
          <span className="tile">
            <SocialMark id="farcaster" />
          </span>
        }
        phase={failed ? 'wrong' : 'waiting'}
        title={t(failed ? 'socialFailed' : 'codeEntering')}
        hint={(failed ? faultText(fault, t) : t('socialEnteringHint')) ?? ''}
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
  return (
    <div className="step">
      {!mobile && (
        <QrCode uri={url} code={qr} label={t('farcasterCode')}>
          <span className="tile">
            <SocialMark id="farcaster" />
          </span>
        </QrCode>
      )}
      <div role="status">
        <strong>{t(mobile ? 'farcasterHere' : 'farcasterScan')}</strong>
        <p className="quiet">{t('farcasterHint')}</p>
      </div>
      {url && (
        <Anchor
          className={`button ${mobile ? 'primary' : 'soft'}`}
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          data-testid="farcaster-open"
        >
          <span>{t('farcasterOpen')}</span>
          <Icon name="external" />
        </Anchor>
      )}
      <Button
        icon="copy"
        disabled={!url}
        data-testid="copy-farcaster-uri"
        onClick={() => url && dispatch({ feature: 'account', event: { type: 'textCopyAsked', text: url } })}
      >
        {t(url && copied === url ? 'farcasterCopied' : 'farcasterCopy')}
      </Button>
    </div>
  )
}
