import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useText } from '../text/text.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Picture } from '../ui/Picture.tsx'

/** Button with the active network; it opens the list of networks. */
export function NetworkButton() {
  const t = useText()
  const dispatch = useDispatch()
  const network = useSnapshot((snapshot) => snapshot.network.active)
  const unsupported = useSnapshot((snapshot) => snapshot.network.unsupported)
  const may = useSnapshot((snapshot) => snapshot.config.networkSwitch)
  const name = unsupported ? t('unknownNetwork') : (network?.name ?? t('selectNetwork'))
  return (
    <button
      type="button"
      className="pill"
      data-testid="w3m-account-select-network"
      disabled={!may}
      onClick={() => dispatch({ feature: 'modal', event: { type: 'viewAsked', view: 'Networks' } })}
    >
      <span className="unseen">{t('network')}</span>
      {unsupported ? (
        <Icon name="warning" />
      ) : (
        <Picture
          src={network?.assets.imageUrl}
          name={name}
          of={network ? { network: network.caipNetworkId } : undefined}
        />
      )}
      <bdi className="clip">{name}</bdi>
      {may && <Icon name="down" />}
    </button>
  )
}
