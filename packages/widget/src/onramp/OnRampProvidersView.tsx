import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useAmount } from '../text/amount.ts'
import { buyWords } from '../text/buy.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { useFormStyle } from '../ui/form.tsx'
import { Lost } from '../ui/Lost.tsx'
import { BoneRows } from '../ui/Row.tsx'
import { onrampCss } from './onramp.css.ts'
import { PriceForm } from './PriceForm.tsx'
import { ProviderRow } from './ProviderRow.tsx'

/** On-ramp providers with their quotes. */
export function OnRampProvidersView() {
  useFormStyle()
  useStyle(onrampCss)
  const t = useText(buyWords)
  const dispatch = useDispatch()
  const state = useSnapshot((snapshot) => snapshot.onramp.state)
  const providers = useSnapshot((snapshot) => snapshot.onramp.providers)
  const offers = useSnapshot((snapshot) => snapshot.onramp.offers)
  const retry = () => dispatch({ feature: 'onramp', event: { type: 'retryAsked' } })
  if (state === 'unavailable')
    return (
      <Empty icon="warning" title={t('buyUnavailable')} hint={t('buyUnavailableHint')}>
        <Button icon="retry" data-testid="empty-state-button" onClick={retry}>
          {t('tryAgain')}
        </Button>
      </Empty>
    )
  if (state === 'ready' && providers.length === 0)
    return <Empty icon="coins" title={t('buyNobody')} hint={t('buyNobodyHint')} />
  return (
    <div className="buy">
      {offers === 'unavailable' ? <Lost onRetry={retry}>{t('buyUnpriced')}</Lost> : <PriceForm />}
      {state === 'loading' ? (
        <BoneRows count={2} label={t('loading')} />
      ) : (
        <ul className="rows" aria-label={t('buyProviders')}>
          {providers.map((provider) => (
            <li key={provider.name}>
              <ProviderRow provider={provider} />
            </li>
          ))}
        </ul>
      )}
      <Prices />
      <Button
        kind="plain"
        icon="help"
        data-ahead="WhatIsABuy"
        onClick={() => dispatch({ feature: 'modal', event: { type: 'viewAsked', view: 'WhatIsABuy' } })}
      >
        {t('titleWhatIsABuy')}
      </Button>
    </div>
  )
}

/** Quotes as text for screen readers. Announced once all requests are done, because quotes change while the visitor types. */
function Prices() {
  const t = useText(buyWords)
  const write = useAmount()
  const providers = useSnapshot((snapshot) => snapshot.onramp.providers)
  const symbol = useSnapshot((snapshot) => snapshot.onramp.token?.symbol ?? '')
  const told = providers.flatMap(({ label, quote }) =>
    quote ? [`${label}: ${t('about', `${write(quote.getsShown)} ${symbol}`)}`] : []
  )
  return (
    <p className="unseen" role="status">
      {!providers.some(({ quoting }) => quoting) && told.join(', ')}
    </p>
  )
}
