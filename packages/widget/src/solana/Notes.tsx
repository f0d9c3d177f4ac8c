import type { SolanaTrouble, SolanaView, SolanaWarning } from '../generated/core.ts'
import { useAmount, useDollars } from '../text/amount.ts'
import { shortFee } from '../text/fee.ts'
import { solanaWords } from '../text/solana.ts'
import { useText } from '../text/text.tsx'
import { Fact } from '../ui/form.tsx'
import { Warnings } from '../ui/Warnings.tsx'

const warnings: Readonly<Record<SolanaWarning, keyof typeof solanaWords>> = {
  lookAlike: 'warnLookAlike',
  keyless: 'solanaKeyless',
  newAddress: 'solanaNewAddress',
  firstSeen: 'warnFirstSeen'
}

const troubles: Readonly<Record<SolanaTrouble, keyof typeof solanaWords>> = {
  newAccount: 'solanaNewAccount',
  rest: 'solanaRest',
  coin: 'solanaCoin',
  frozen: 'solanaFrozen',
  receiverFrozen: 'solanaReceiverFrozen',
  receiverForeign: 'solanaReceiverForeign',
  freezesNew: 'solanaFreezesNew',
  hook: 'solanaHook',
  nonTransferable: 'solanaNonTransferable',
  paused: 'solanaPaused',
  unknownRule: 'solanaUnknownRule',
  fails: 'solanaFails',
  untried: 'solanaUntried',
  changed: 'solanaChanged',
  unsigned: 'solanaUnsigned',
  signedLate: 'solanaSignedLate',
  inUse: 'solanaInUse',
  processed: 'solanaProcessed',
  unknownBlock: 'solanaUnknownBlock'
}

/** Words for the reason for which the payment cannot be sent, or was not. */
export function useTrouble({ trouble, troubleAmount, deposit, feeSymbol }: SolanaView): string | null {
  const t = useText(solanaWords)
  const write = useAmount()
  if (!trouble) return null
  if (trouble !== 'coin') return t(troubles[trouble], `${write(troubleAmount ?? '')} ${feeSymbol}`)
  if (!troubleAmount) return t('solanaCoinShort')
  return t(deposit ? 'solanaCoinDeposit' : 'solanaCoin', `${write(troubleAmount)} ${feeSymbol}`)
}

/** Warnings about a possible loss of the whole amount. */
const grave: ReadonlySet<SolanaWarning> = new Set(['lookAlike'])

/** Warnings to read before paying. */
export function SolanaWarnings({ solana, still }: { solana: SolanaView; still?: boolean }) {
  const t = useText(solanaWords)
  return (
    <Warnings
      warnings={solana.warnings}
      words={(warning) => t(warnings[warning])}
      grave={grave}
      lookAlike={solana.lookAlike}
      receiver={solana.receiver.trim()}
      still={still}
    />
  )
}

/** Lines about the cost: network fee, deposit, and the fee that the token takes. */
export function Costs({ solana }: { solana: SolanaView }) {
  const t = useText(solanaWords)
  const write = useAmount()
  const dollars = useDollars()
  const { fee, feeValue, feeSymbol, deposit, tokenFee, received, token } = solana
  return (
    <>
      <Fact
        name={t('fee')}
        value={fee ? t('about', `${write(shortFee(fee))} ${feeSymbol}`) : '–'}
        exact={fee ? `${write(fee)} ${feeSymbol}` : undefined}
        hint={feeValue ? dollars(feeValue) : undefined}
      />
      {deposit && (
        <Fact name={t('solanaDeposit')} value={`${write(deposit)} ${feeSymbol}`} hint={t('solanaDepositHint')} />
      )}
      {tokenFee && received && (
        <>
          <Fact name={t('solanaTokenFee')} value={`${write(tokenFee)} ${token?.symbol ?? ''}`} />
          <Fact name={t('solanaReceived')} value={`${write(received)} ${token?.symbol ?? ''}`} />
        </>
      )}
    </>
  )
}
