import type { OnrampProviderView } from '../generated/core.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useAmount } from '../text/amount.ts'
import { buyWords } from '../text/buy.ts'
import { useText } from '../text/text.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Picture } from '../ui/Picture.tsx'
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
      picture={<Seller label={label} />}
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

/** Mark of Coinbase, from @web3icons/core 4.0.56 (MIT): path on a grid of 24. */
const COINBASE =
  'M12.15 6.72c-2.93 0-4.94 2.25-4.94 5.3 0 3.01 2.05 5.26 4.97 5.26 2.12 0 3.8-1.34 4.41-3.29h4.24C20.05 18.18 16.56 21 12.18 21 7.01 21 3.14 17.18 3.14 12.02S7.11 3 12.18 3c4.47 0 7.9 2.82 8.68 6.97h-4.27c-.64-1.94-2.32-3.25-4.44-3.25'

/** Picture of an on-ramp provider: its mark, or its initial where no mark may be shown. */
export function Seller({ label }: { label: string }) {
  if (label !== 'Coinbase') return <Picture name={label} />
  return (
    <svg className="tile" viewBox="-4 -4 32 32" aria-hidden="true">
      <path fill="#0052ff" d="M-4-4h32v32H-4z" />
      <path fill="#fff" d={COINBASE} />
    </svg>
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
