import type { SolanaTrouble, SolanaView, SolanaWarning } from '../generated/core.ts'
import { useAmount } from '../text/amount.ts'
import { shortFee } from '../text/fee.ts'
import { solanaWords } from '../text/solana.ts'
import { useText } from '../text/text.tsx'
import { Fact } from '../ui/form.tsx'
import { Icon } from '../ui/Icon.tsx'

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
  unsigned: 'solanaUnsigned'
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

/** Warnings to read before paying. While they can change, the live region always exists, so that screen readers announce a new one. */
export function Warnings({ solana, still }: { solana: SolanaView; still?: boolean }) {
  const t = useText(solanaWords)
  return (
    <div className="warnings" role={still ? undefined : 'status'}>
      {solana.warnings.map((warning) => (
        <p
          key={warning}
          className={warning === 'lookAlike' ? 'warn grave' : 'warn'}
          data-testid={`send-warning-${warning}`}
        >
          <Icon name="warning" />
          <span>
            {t(warnings[warning])}
            {warning === 'lookAlike' && solana.lookAlike && (
              <small>
                {t('warnPaidBefore', '').trim()} <bdi className="full">{solana.lookAlike}</bdi>
              </small>
            )}
          </span>
        </p>
      ))}
    </div>
  )
}

/** Lines about the cost: network fee, deposit, and the fee that the token takes. */
export function Costs({ solana }: { solana: SolanaView }) {
  const t = useText(solanaWords)
  const write = useAmount()
  const { fee, feeSymbol, deposit, tokenFee, received, token } = solana
  return (
    <>
      <Fact
        name={t('fee')}
        value={fee ? t('about', `${write(shortFee(fee))} ${feeSymbol}`) : '–'}
        exact={fee ? `${write(fee)} ${feeSymbol}` : undefined}
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
