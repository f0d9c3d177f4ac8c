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

type Wrong = keyof typeof words

/** Whether something is to be done before a wallet can connect. */
export function wrong(phase: PairingPhase): phase is Wrong {
  return Object.hasOwn(words, phase)
}

/** Codes of wallets begin here; smaller ones are those of the client on this page. */
const FIRST = 1000
/** Stands where nothing was said of the code (spec 8.51). A wallet that says it has refused, which is another phase. */
const DEFAULT = 5000

/** A relay wants nothing of this page: no line is at fault. */
const BARRED = 3000

/** Whether a code is one of a wallet's; with any other it failed before a wallet heard of it. */
function isWallets(code: number): boolean {
  return code >= FIRST && code !== DEFAULT
}

/** What went wrong, in words, and what to do about it. */
export function PairingFault({ pairing: { phase, wallet, error } }: { pairing: PairingView }) {
  const t = useText(pairWords)
  const dispatch = useDispatch()
  const picture = useIcon(wallet)
  if (!wrong(phase)) return null
  const [title, hint, again] = words[phase]
  const here = phase === 'failed' && !isWallets(error?.code ?? 0)
  const barred = phase === 'unreachable' && error?.code === BARRED
  // It stands at the beginning of sentences, but where the visitor refused.
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
