import type { BuyPhase } from '../generated/core.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { buyWords } from '../text/buy.ts'
import type { KeyWith } from '../text/text.tsx'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Button } from '../ui/Button.tsx'
import { Fact, useFormStyle } from '../ui/form.tsx'
import { Picture } from '../ui/Picture.tsx'
import { reviewCss } from '../ui/review.css.ts'
import { Waiting } from '../ui/Waiting.tsx'
import { onrampCss } from './onramp.css.ts'

const words: Readonly<Record<BuyPhase, readonly [KeyWith<typeof buyWords>, KeyWith<typeof buyWords>]>> = {
  choosing: ['buyPreparing', 'buyPreparingHint'],
  preparing: ['buyPreparing', 'buyPreparingHint'],
  ready: ['buyReady', 'buyReadyHint'],
  opened: ['buyOpened', 'buyOpenedHint'],
  failed: ['buyFailed', 'buyFailedHint']
}

/** The purchase goes on in a tab of its own; here the visitor says when it is done. */
export function BuyInProgressView() {
  useFormStyle()
  useStyle(reviewCss)
  useStyle(onrampCss)
  const t = useText(buyWords)
  const dispatch = useDispatch()
  const { provider, phase, problem, addressShort, networkName } = useSnapshot((snapshot) => snapshot.onramp)
  const label = provider?.label ?? ''
  const [title, hint] = words[phase]
  const ask = (type: 'openAsked' | 'doneAsked' | 'retryAsked') => () => dispatch({ feature: 'onramp', event: { type } })
  const failed = phase === 'failed'
  const opened = phase === 'opened'
  return (
    <div className="buying">
      <Waiting
        picture={<Picture name={label} />}
        phase={failed ? 'wrong' : opened ? 'slow' : 'waiting'}
        title={t(title, label)}
        hint={t(hint, label)}
        said={failed && problem ? { by: t('serverSays'), words: problem } : undefined}
      />
      <dl className="facts boxed">
        <Fact name={t('buyTo')} value={addressShort ?? ''} />
        <Fact name={t('network')} value={provider?.elsewhere ?? networkName ?? ''} />
      </dl>
      {failed ? (
        <Button kind="primary" icon="retry" data-focus="" data-testid="onramp-retry" onClick={ask('retryAsked')}>
          {t('tryAgain')}
        </Button>
      ) : opened ? (
        <>
          <Button kind="primary" icon="check" data-testid="onramp-done" onClick={ask('doneAsked')}>
            {t('buyDone')}
          </Button>
          <Button kind="plain" icon="external" data-testid="onramp-open" onClick={ask('openAsked')}>
            {t('openAgain')}
          </Button>
        </>
      ) : (
        <Button
          kind="primary"
          icon="external"
          busy={phase !== 'ready'}
          data-testid="onramp-open"
          onClick={ask('openAsked')}
        >
          {t('openWallet', label)}
        </Button>
      )}
    </div>
  )
}
