import type { SendWarning } from '../generated/core.ts'
import { useSnapshot } from '../shell/react.tsx'
import type { KeyWith } from '../text/keys.ts'
import { sendWords } from '../text/send.ts'
import { useText } from '../text/text.tsx'
import { Warnings } from '../ui/Warnings.tsx'

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

/** Warnings to read before paying. */
export function SendWarnings({ still }: { still?: boolean }) {
  const t = useText(sendWords)
  const warnings = useSnapshot((snapshot) => snapshot.send.warnings)
  const alike = useSnapshot((snapshot) => snapshot.send.lookAlike)
  const receiver = useSnapshot(({ send }) => send.receiverResolved ?? send.receiverAddress).trim()
  const symbol = useSnapshot((snapshot) => snapshot.send.token?.ownSymbol) ?? ''
  const name = useSnapshot(({ send }) => send.receiverProfileName ?? send.receiverAddress)
  const network = useSnapshot((snapshot) => snapshot.send.networkName) ?? ''
  const worst = ofToken.find((warning) => warnings.includes(warning))
  return (
    <Warnings
      warnings={warnings.filter((warning) => warning === worst || !ofToken.includes(warning))}
      words={(warning) => t(words[warning], ...(warning === 'nameElsewhere' ? [name, network] : [symbol]))}
      grave={grave}
      lookAlike={alike}
      receiver={receiver}
      still={still}
    />
  )
}
