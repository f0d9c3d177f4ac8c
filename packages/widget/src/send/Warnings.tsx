import type { SendWarning } from '../generated/core.ts'
import { useSnapshot } from '../shell/react.tsx'
import type { KeyWith } from '../text/keys.ts'
import { sendWords } from '../text/send.ts'
import { useText } from '../text/text.tsx'
import { Icon } from '../ui/Icon.tsx'

const words: Readonly<Record<SendWarning, KeyWith<typeof sendWords>>> = {
  lookAlike: 'warnLookAlike',
  nameLetters: 'warnNameLetters',
  nameElsewhere: 'warnNameElsewhere',
  contract: 'warnContract',
  firstSeen: 'warnFirstSeen',
  decimalsDiffer: 'warnDecimalsDiffer',
  symbolDiffers: 'warnSymbolDiffers',
  symbolElsewhere: 'warnSymbolElsewhere',
  feeUnusual: 'feeUnusual',
  nodesElsewhere: 'nodesElsewhere'
}

/** Warnings about a possible loss of the whole amount. */
const grave: ReadonlySet<SendWarning> = new Set(['lookAlike', 'nameLetters', 'symbolDiffers', 'symbolElsewhere'])

/** Warnings about the token, the worst first: only one of them is shown. */
const ofToken: readonly SendWarning[] = ['symbolElsewhere', 'symbolDiffers', 'decimalsDiffer']

/** Warnings to read before paying. While they can change, the live region always exists, so that screen readers announce a new one. */
export function Warnings({ still }: { still?: boolean }) {
  const t = useText(sendWords)
  const warnings = useSnapshot((snapshot) => snapshot.send.warnings)
  const alike = useSnapshot((snapshot) => snapshot.send.lookAlike)
  const symbol = useSnapshot((snapshot) => snapshot.send.token?.ownSymbol) ?? ''
  const name = useSnapshot(({ send }) => send.receiverProfileName ?? send.receiverAddress)
  const network = useSnapshot((snapshot) => snapshot.send.networkName) ?? ''
  const worst = ofToken.find((warning) => warnings.includes(warning))
  const shown = warnings.filter((warning) => warning === worst || !ofToken.includes(warning))
  return (
    <div className="warnings" role={still ? undefined : 'status'}>
      {shown.map((warning) => (
        <p key={warning} className={grave.has(warning) ? 'warn grave' : 'warn'} data-testid={`send-warning-${warning}`}>
          <Icon name="warning" />
          <span>
            {t(words[warning], ...(warning === 'nameElsewhere' ? [name, network] : [symbol]))}
            {warning === 'lookAlike' && alike && (
              <small>
                {t('warnPaidBefore', '').trim()} <bdi className="full">{alike}</bdi>
              </small>
            )}
          </span>
        </p>
      ))}
    </div>
  )
}
