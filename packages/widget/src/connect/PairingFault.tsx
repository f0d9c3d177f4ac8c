import type { PairingPhase, PairingView } from '../generated/core.ts'
import { useDispatch, useIcon } from '../shell/react.tsx'
import type { KeyWith } from '../text/keys.ts'
import { pairWords } from '../text/pair.ts'
import { useText } from '../text/text.tsx'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Picture } from '../ui/Picture.tsx'
import { Waiting } from '../ui/Waiting.tsx'

const words = {
  refused: ['declined', 'declinedHint', 'tryAgain'],
  failed: ['notConnected', 'notConnectedHint', 'tryAgain'],
  expired: ['codeExpired', 'codeExpiredHint', 'newCode'],
  unreachable: ['unreachable', 'unreachableHint', 'tryAgain']
} as const satisfies Partial<
  Record<
    PairingPhase,
    readonly [title: KeyWith<typeof pairWords>, hint: KeyWith<typeof pairWords>, again: KeyWith<typeof pairWords>]
  >
>

const expiredLink = ['linkExpired', 'linkExpiredHint', 'newLink'] as const

type Wrong = keyof typeof words

/** Whether the pairing is in a failed phase that needs an action of the visitor. */
export function wrong(phase: PairingPhase): phase is Wrong {
  return Object.hasOwn(words, phase)
}

/** Smallest error code that comes from a wallet; smaller codes come from the client on this page. */
const FIRST = 1000
/** Placeholder where there was no error code (spec 8.51). A real 5000 from a wallet is a refusal, which is another phase. */
const DEFAULT = 5000

/** Code of a relay that rejects this page; the network connection is fine. */
const BARRED = 3000

/** Whether the error came from a wallet; with any other code the pairing failed before it reached one. */
function isWallets(code: number): boolean {
  return code >= FIRST && code !== DEFAULT
}

interface PairingFaultProps {
  readonly pairing: PairingView
  /** A link opens the wallet, so that no code was on the screen. */
  readonly link?: boolean
}

/** Title and explanation of a failed pairing, with a retry button. */
export function PairingFault({ pairing: { phase, wallet, error }, link }: PairingFaultProps) {
  const t = useText(pairWords)
  const dispatch = useDispatch()
  const picture = useIcon(wallet)
  if (!wrong(phase)) return null
  const [title, hint, again] = link && phase === 'expired' ? expiredLink : words[phase]
  const here = phase === 'failed' && !isWallets(error?.code ?? 0)
  const barred = phase === 'unreachable' && error?.code === BARRED
  // The name begins a sentence in every text except the one for a refusal.
  const name = wallet?.name ?? t(phase === 'refused' ? 'yourWallet' : 'theWallet')
  const said =
    phase === 'failed' ? t('walletSays', wallet?.name ?? t('yourWallet')) : phase === 'unreachable' && t('relaySays')
  return (
    <Waiting
      picture={
        wallet ? (
          <Picture src={picture} name={name} />
        ) : (
          <span className="tile medal">
            <Icon name={phase === 'unreachable' ? 'globe' : 'qr'} />
          </span>
        )
      }
      phase="wrong"
      title={t(barred ? 'notAllowed' : title, name)}
      hint={t(barred ? 'notAllowedHint' : here ? 'notLoadedHint' : hint, name)}
      said={said && error && !here ? { by: said, words: error.message } : undefined}
    >
      <Button
        kind="primary"
        icon="retry"
        data-testid="w3m-connecting-widget-secondary-button"
        onClick={() => dispatch({ feature: 'connect', event: { type: 'pairingRetryAsked' } })}
      >
        {t(again)}
      </Button>
    </Waiting>
  )
}
