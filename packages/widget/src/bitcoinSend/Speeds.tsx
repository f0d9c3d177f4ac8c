import type { BitcoinView } from '../generated/core.ts'
import { useDispatch } from '../shell/react.tsx'
import { useAmount } from '../text/amount.ts'
import { bitcoinWords } from '../text/bitcoin.ts'
import { shortFee } from '../text/fee.ts'
import { unpadded } from '../text/spelled.ts'
import { useText } from '../text/text.tsx'
import { speeds } from './speed.ts'

/** Choice of how fast the payment is confirmed, and so of its fee. The choice is there before the fees are known. */
export function Speeds({ bitcoin }: { bitcoin: BitcoinView }) {
  const t = useText(bitcoinWords)
  const write = useAmount()
  const dispatch = useDispatch()
  return (
    <fieldset className="speeds">
      <legend>{t('bitcoinSpeed')}</legend>
      {speeds.map(([speed, name, time]) => {
        const row = bitcoin.speeds.find((row) => row.speed === speed)
        return (
          <label key={speed}>
            <input
              type="radio"
              name="speed"
              value={speed}
              checked={bitcoin.speed === speed}
              data-testid={`send-speed-${speed}`}
              onChange={() => dispatch({ feature: 'bitcoin', event: { type: 'speedChosen', speed } })}
            />
            <span>
              {t(name)} <small>{t(time)}</small>
            </span>
            {row && (
              <span className="cost">
                {row.fee && <bdi>{t('about', `${write(shortFee(row.fee))} ${bitcoin.symbol}`)}</bdi>}{' '}
                <small>
                  <bdi>{t('bitcoinRate', write(unpadded(row.rate)))}</bdi>
                </small>
              </span>
            )}
          </label>
        )
      })}
    </fieldset>
  )
}
