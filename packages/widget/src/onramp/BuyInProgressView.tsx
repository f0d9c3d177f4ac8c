import type { BuyPhase, BuyProblem, BuyProgress } from '../generated/core.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useAmount } from '../text/amount.ts'
import { buyWords } from '../text/buy.ts'
import type { KeyWith } from '../text/keys.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Anchor } from '../ui/Anchor.tsx'
import { Button, LinkButton } from '../ui/Button.tsx'
import { Fact, useFormStyle } from '../ui/form.tsx'
import { Icon } from '../ui/Icon.tsx'
import { reviewCss } from '../ui/review.css.ts'
import { Waiting } from '../ui/Waiting.tsx'
import { onrampCss } from './onramp.css.ts'
import { Seller } from './ProviderRow.tsx'

type Words = readonly [KeyWith<typeof buyWords>, KeyWith<typeof buyWords>]

const words: Readonly<Record<BuyPhase, Words>> = {
  choosing: ['buyPreparing', 'buyPreparingHint'],
  preparing: ['buyPreparing', 'buyPreparingHint'],
  ready: ['buyReady', 'buyReadyHint'],
  opened: ['buyOpened', 'buyOpenedHint'],
  failed: ['buyFailed', 'buyFailedHint']
}

/** Title and hint for each state of the purchase, once the provider's page was opened. */
const told: Readonly<Record<BuyProgress, Words>> = {
  unknown: words.opened,
  unseen: ['buyOpened', 'buyUnseenHint'],
  pending: ['buyPending', 'buyPendingHint'],
  done: ['buyComplete', 'buyCompleteHint'],
  failed: ['buyLost', 'buyLostHint']
}

/** Hint for each kind of failure of the server, in place of the usual one. */
const reasons: Readonly<Record<BuyProblem, KeyWith<typeof buyWords>>> = {
  refused: 'buyRefusedHint',
  busy: 'buyBusyHint',
  unanswered: 'buyUnansweredHint'
}

/** Purchase in progress: it goes on in another tab. Shows its known state, and lets the visitor say when it is done. */
export function BuyInProgressView() {
  useFormStyle()
  useStyle(reviewCss)
  useStyle(onrampCss)
  const t = useText(buyWords)
  const write = useAmount()
  const { provider, phase, problem, purchase, addressShort, networkName } = useSnapshot((snapshot) => snapshot.onramp)
  const label = provider?.label ?? purchase?.label ?? ''
  const opened = phase === 'opened'
  const [title, usual] = opened ? told[purchase?.progress ?? 'unknown'] : words[phase]
  const hint = phase === 'failed' && problem ? reasons[problem] : usual
  const gets = purchase?.gets && `${write(purchase.gets)} ${purchase.symbol}`
  const done = opened && purchase?.progress === 'done'
  const failed = phase === 'failed' || (opened && purchase?.progress === 'failed')
  return (
    <div className={done ? 'buying done' : 'buying'}>
      <Waiting
        picture={
          done ? (
            <span className="tile money">
              <Icon name="check" />
            </span>
          ) : (
            <Seller label={label} />
          )
        }
        phase={failed ? 'wrong' : opened ? 'slow' : 'waiting'}
        title={t(title, label)}
        hint={
          done && gets ? t('buyGotHint', gets) : t(!done && !failed && purchase?.over ? 'buyOverHint' : hint, label)
        }
      />
      <dl className="facts boxed">
        <Fact name={t('buyTo')} value={addressShort ?? ''} />
        <Fact name={t('network')} value={purchase?.network ?? provider?.elsewhere ?? networkName ?? ''} />
      </dl>
      <Ways />
    </div>
  )
}

/** Actions that are possible now. */
function Ways() {
  const t = useText(buyWords)
  const dispatch = useDispatch()
  const { provider, phase, link, purchase } = useSnapshot((snapshot) => snapshot.onramp)
  const label = provider?.label ?? ''
  const ask = (type: 'openAsked' | 'doneAsked' | 'retryAsked' | 'checkAsked' | 'linkFollowed') => () =>
    dispatch({ feature: 'onramp', event: { type } })
  if (phase === 'failed')
    return (
      <Button kind="primary" icon="retry" data-focus="" data-testid="onramp-retry" onClick={ask('retryAsked')}>
        {t('tryAgain')}
      </Button>
    )
  // A link as well, because a browser may block tabs opened by script.
  if (link)
    return (
      <Anchor
        className="button primary"
        href={link}
        target="_blank"
        rel="noopener noreferrer"
        data-focus=""
        data-testid="onramp-open"
        onClick={ask('linkFollowed')}
      >
        <Icon name="external" />
        <span>{t('openWallet', label)}</span>
      </Anchor>
    )
  if (phase !== 'opened')
    return (
      <Button kind="primary" busy data-testid="onramp-open">
        {t('openWallet', label)}
      </Button>
    )
  const lost = purchase?.progress === 'failed'
  // After a reload the provider's page is not known any more: the list of providers is the way to it.
  const again = provider
    ? ask('openAsked')
    : () => dispatch({ feature: 'modal', event: { type: 'viewAsked', view: 'OnRampProviders' } })
  const over = purchase?.progress === 'done' || purchase?.progress === 'failed'
  // Nothing is known to have been bought, so nothing is done.
  const unseen = lost || purchase?.progress === 'unseen'
  return (
    <>
      {lost && (
        <Button kind="primary" icon="retry" data-focus="" data-testid="onramp-again" onClick={again}>
          {t('tryAgain')}
        </Button>
      )}
      <Button
        kind={lost ? 'soft' : 'primary'}
        icon={unseen ? undefined : 'check'}
        data-focus={lost ? undefined : ''}
        data-testid="onramp-done"
        onClick={ask('doneAsked')}
      >
        {t(unseen ? 'close' : 'buyDone')}
      </Button>
      {purchase?.url && (
        <LinkButton href={purchase.url} icon="external">
          {t('viewOnExplorer')}
        </LinkButton>
      )}
      {purchase && !over && (
        <Button icon="retry" busy={purchase.checking} data-testid="onramp-check" onClick={ask('checkAsked')}>
          {t('buyCheck')}
        </Button>
      )}
      {provider && !lost && purchase?.progress !== 'done' && (
        <Button kind="plain" icon="external" data-testid="onramp-again" onClick={ask('openAsked')}>
          {t('openAgain')}
        </Button>
      )}
    </>
  )
}
