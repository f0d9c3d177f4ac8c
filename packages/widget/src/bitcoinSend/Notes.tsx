import type { BitcoinTrouble, BitcoinView, BitcoinWarning } from '../generated/core.ts'
import { useAmount, useDollars } from '../text/amount.ts'
import { bitcoinWords } from '../text/bitcoin.ts'
import { shortFee } from '../text/fee.ts'
import { unpadded } from '../text/spelled.ts'
import { useText } from '../text/text.tsx'
import { Fact } from '../ui/form.tsx'
import { Warnings } from '../ui/Warnings.tsx'
import { speeds } from './speed.ts'

const warnings: Readonly<Record<BitcoinWarning, keyof typeof bitcoinWords>> = {
  lookAlike: 'warnLookAlike',
  earlierPayment: 'bitcoinEarlier',
  firstSeen: 'warnFirstSeen',
  unconfirmed: 'bitcoinUnconfirmed',
  mayHoldOrdinals: 'bitcoinOrdinals',
  highFee: 'bitcoinHighFee'
}

/** Warnings about a possible loss of the whole amount. */
export const grave: ReadonlySet<BitcoinWarning> = new Set(['lookAlike', 'earlierPayment'])

const troubles: Readonly<Record<BitcoinTrouble, keyof typeof bitcoinWords>> = {
  coin: 'bitcoinCoin',
  dust: 'bitcoinDust',
  inputs: 'bitcoinInputs',
  account: 'bitcoinAccount',
  untried: 'bitcoinUntried',
  untrue: 'bitcoinUntrue',
  changed: 'bitcoinChanged',
  unsigned: 'bitcoinUnsigned',
  refused: 'bitcoinRefused'
}

/** Words for the reason for which the payment cannot be sent, or was not. */
export function useTrouble({ trouble, troubleAmount, symbol }: BitcoinView): string | null {
  const t = useText(bitcoinWords)
  const write = useAmount()
  if (!trouble) return null
  // No coin is worth its own fee.
  if (trouble === 'coin' && !troubleAmount) return t('bitcoinCoinShort')
  return t(troubles[trouble], `${write(troubleAmount ?? '')} ${symbol}`)
}

/** Warnings to read before paying. */
export function BitcoinWarnings({ bitcoin, still }: { bitcoin: BitcoinView; still?: boolean }) {
  const t = useText(bitcoinWords)
  return (
    <Warnings
      warnings={bitcoin.warnings}
      words={(warning) => t(warnings[warning])}
      grave={grave}
      lookAlike={bitcoin.lookAlike}
      receiver={bitcoin.receiverAddress}
      still={still}
    />
  )
}

/** Estimate of the network fee: the fees are read again before the review. */
export function Cost({ bitcoin: { fee, feeValue, symbol } }: { bitcoin: BitcoinView }) {
  const t = useText(bitcoinWords)
  const write = useAmount()
  const dollars = useDollars()
  return (
    <Fact
      name={t('fee')}
      value={fee ? t('about', `${write(shortFee(fee))} ${symbol}`) : '–'}
      exact={fee ? `${write(fee)} ${symbol}` : undefined}
      hint={feeValue ? dollars(feeValue) : undefined}
    />
  )
}

/** All lines about the reviewed payment, whose amounts are those of its transaction. */
export function Facts({ bitcoin }: { bitcoin: BitcoinView }) {
  const t = useText(bitcoinWords)
  const write = useAmount()
  const dollars = useDollars()
  const { networkName, speed, fee, feeValue, change, added, total } = bitcoin
  const [, name] = speeds.find(([one]) => one === speed) ?? []
  const rate = bitcoin.speeds.find((row) => row.speed === speed)?.rate
  const coins = (amount: string) => `${write(amount)} ${bitcoin.symbol}`
  return (
    <>
      {networkName && <Fact name={t('network')} value={networkName} />}
      {name && (
        <Fact
          name={t('bitcoinSpeed')}
          value={t(name)}
          hint={rate ? t('bitcoinRate', write(unpadded(rate))) : undefined}
        />
      )}
      {fee && <Fact name={t('fee')} value={coins(fee)} hint={feeValue ? dollars(feeValue) : undefined} />}
      {added && <Fact name={t('bitcoinAdded')} value={coins(added)} hint={t('bitcoinAddedHint')} />}
      {total && <Fact name={t('total')} value={coins(total)} strong />}
      {change && <Fact name={t('bitcoinChange')} value={coins(change)} hint={t('bitcoinChangeHint')} />}
    </>
  )
}
