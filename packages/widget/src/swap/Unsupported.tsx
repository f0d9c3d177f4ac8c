import { NetworkList } from '../network/NetworkList.tsx'
import { networkCss } from '../network/network.css.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { swapWords } from '../text/swap.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'

/** Notice that the active network cannot swap, with the networks that can (spec 9.10). */
export function Unsupported() {
  useStyle(networkCss)
  const t = useText(swapWords)
  const dispatch = useDispatch()
  const name = useSnapshot((snapshot) => snapshot.swap.networkName)
  const able = useSnapshot((snapshot) => snapshot.swap.networks)
  const networks = useSnapshot((snapshot) => snapshot.network.networks)
  const offered = networks.filter(({ caipNetworkId }) => able.includes(caipNetworkId))
  return (
    <>
      <Empty
        icon="swap"
        title={t('swapUnsupported', name ?? '')}
        hint={t(offered.length > 0 ? 'swapUnsupportedHint' : 'swapUnsupportedNone')}
        testid="swap-unsupported"
      />
      <NetworkList networks={offered} />
      {networks.length > 1 && (
        <div className="foot">
          <Button
            kind="plain"
            data-testid="swap-networks-button"
            onClick={() => dispatch({ feature: 'swap', event: { type: 'networksAsked' } })}
          >
            {t('swapMoreNetworks')}
          </Button>
        </div>
      )}
    </>
  )
}
