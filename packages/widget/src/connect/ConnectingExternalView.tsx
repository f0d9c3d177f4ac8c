import type { Attempt, ConnectPhase } from '../generated/core.ts'
import { useDispatch, useIcon, useSnapshot } from '../shell/react.tsx'
import type { Key } from '../text/en.ts'
import { useText } from '../text/text.tsx'
import { Button } from '../ui/Button.tsx'
import { Picture } from '../ui/Picture.tsx'
import { Waiting } from '../ui/Waiting.tsx'

const words: Readonly<Record<ConnectPhase, readonly [title: Key, hint: Key]>> = {
  waiting: ['continueIn', 'acceptRequest'],
  slow: ['slow', 'slowHint'],
  pending: ['pending', 'pendingHint'],
  refused: ['declined', 'declinedHint'],
  failed: ['notConnected', 'notConnectedHint']
}

/** Waiting screen for a browser wallet that has the connection request. */
export function ConnectingExternalView() {
  const attempt = useSnapshot((snapshot) => snapshot.connect.attempt)
  return attempt && <Asked attempt={attempt} />
}

function Asked({ attempt }: { attempt: Attempt }) {
  const { name, phase, error, own } = attempt
  const t = useText()
  const dispatch = useDispatch()
  const picture = useIcon(attempt)
  const [title, hint] = words[phase]
  const wrong = phase === 'refused' || phase === 'failed'
  return (
    <Waiting
      picture={<Picture src={picture} name={name} />}
      phase={wrong ? 'wrong' : phase === 'waiting' ? 'waiting' : 'slow'}
      title={t(title, name)}
      hint={t(hint, name)}
      said={phase === 'failed' && error ? { by: own ? '' : t('walletSays', name), words: error.message } : undefined}
    >
      {phase !== 'waiting' && (
        <Button
          kind={wrong ? 'primary' : 'soft'}
          icon="retry"
          data-testid="w3m-connecting-widget-secondary-button"
          onClick={() => dispatch({ feature: 'connect', event: { type: 'retryAsked' } })}
        >
          {t(wrong ? 'tryAgain' : 'askAgain')}
        </Button>
      )}
    </Waiting>
  )
}
