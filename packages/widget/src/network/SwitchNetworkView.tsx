import { createElement } from 'react'
import type { Switching, SwitchPhase } from '../generated/core.ts'
import { useWalletOf } from '../shell/active.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { switchWords } from '../text/switch.ts'
import { useText } from '../text/text.tsx'
import { Button } from '../ui/Button.tsx'
import { Picture } from '../ui/Picture.tsx'
import { Waiting } from '../ui/Waiting.tsx'

/** Waiting screen while the wallet switches its network. */
export function SwitchNetworkView() {
  const switching = useSnapshot((snapshot) => snapshot.network.switching)
  // Hosts' tests look for this element name.
  return switching && createElement('w3m-network-switch-view', null, <Asked switching={switching} />)
}

function Asked({ switching: { chain, name, phase, error, slow } }: { switching: Switching }) {
  const t = useText(switchWords)
  const dispatch = useDispatch()
  // A network of another namespace is asked of the wallet there, not of the active one.
  const asked = useWalletOf(({ account }) =>
    account.accounts.find(({ namespace }) => chain.startsWith(`${namespace}:`))
  )
  const wallet = asked.name ?? t('yourWallet')
  const picture = useSnapshot(
    ({ network }) => network.networks.find(({ caipNetworkId }) => caipNetworkId === chain)?.assets.imageUrl
  )
  // The wallet may be on a network that this site does not know.
  const current =
    useSnapshot(({ network }) => (network.unsupported ? null : network.active?.name)) ?? t('unknownNetwork')
  const words: Readonly<Record<SwitchPhase, readonly [title: string, hint: string]>> = {
    waiting: [t('continueIn', wallet), t('switchHint', name)],
    adding: [t('approveAdd', name), t('addHint', wallet)],
    refused: [t('switchDeclined'), t('switchDeclinedHint', current)],
    failed: [t('switchFailed'), t('switchFailedHint', wallet, name)]
  }
  const wrong = phase === 'refused' || phase === 'failed'
  const [title, hint] =
    slow && !wrong ? [t('slow'), t(asked.remote ? 'slowRemoteHint' : 'slowHint', wallet)] : words[phase]
  return (
    <Waiting
      picture={<Picture src={picture} name={name} of={{ network: chain }} />}
      phase={wrong ? 'wrong' : 'waiting'}
      title={title}
      hint={hint}
      said={phase === 'failed' && error ? { by: t('walletSays', wallet), words: error.message } : undefined}
    >
      {wrong && (
        <Button
          kind="primary"
          icon="retry"
          onClick={() => dispatch({ feature: 'network', event: { type: 'retryAsked' } })}
        >
          {t('tryAgain')}
        </Button>
      )}
    </Waiting>
  )
}
