import type { OnrampProviderView } from '../generated/core.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useAmount } from '../text/amount.ts'
import { buyWords } from '../text/buy.ts'
import { useText } from '../text/text.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Row } from '../ui/Row.tsx'

/** On-ramp provider with its usual fee, the network it delivers to if that is not the active one, and its quote. */
export function ProviderRow({ provider }: { provider: OnrampProviderView }) {
  const t = useText(buyWords)
  const dispatch = useDispatch()
  const { name, label, feeFrom, feeTo, available, elsewhere, unquoted } = provider
  const notes = available
    ? [
        feeTo > 0 && t('buyFee', String(feeFrom), String(feeTo)),
        elsewhere && t('buyElsewhere', elsewhere),
        unquoted && t('buyUnquoted')
      ].filter((note) => typeof note === 'string')
    : [t('buyNotHere')]
  return (
    <Row
      picture={<Seller />}
      name={label}
      note={notes.map((note) => <span key={note}>{note}</span>)}
      end={<Price provider={provider} />}
      disabled={!available}
      ahead="BuyInProgress"
      testid={`onramp-provider-${name}`}
      onClick={() => dispatch({ feature: 'onramp', event: { type: 'providerChosen', name } })}
    />
  )
}

/** Picture of any provider, as none comes with a picture that may be shown. */
export function Seller() {
  return (
    <span className="tile money">
      <Icon name="coins" />
    </span>
  )
}

/** Quoted amount of coins; a skeleton while the quote loads. */
function Price({ provider: { quoting, quote, available } }: { provider: OnrampProviderView }) {
  const t = useText(buyWords)
  const write = useAmount()
  const symbol = useSnapshot((snapshot) => snapshot.onramp.token?.symbol ?? '')
  if (quoting)
    return (
      <>
        <i className="word bone" />
        <span className="unseen">{t('loading')}</span>
      </>
    )
  if (!quote) return available && <Icon name="external" />
  return (
    <bdi className="price" title={`${write(quote.gets)} ${symbol}`}>
      {t('about', `${write(quote.getsShown)} ${symbol}`)}
    </bdi>
  )
}
