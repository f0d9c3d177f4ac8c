import { Face } from '../account/Face.tsx'
import type { Network } from '../generated/core.ts'
import { activeAccount } from '../shell/active.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { receiveWords } from '../text/receive.ts'
import { useText } from '../text/text.tsx'
import { tokenWords } from '../text/token.ts'
import { useStyle } from '../theme/style.ts'
import { Icon } from '../ui/Icon.tsx'
import { Picture } from '../ui/Picture.tsx'
import { QrCode } from '../ui/QrCode.tsx'
import { receiveCss } from './receive.css.ts'

/** Maximum number of network pictures in the stack. */
const PILE = 3

/** Receive view: the account's address as a QR code and as text, and the networks it is valid on. */
export function WalletReceiveView() {
  useStyle(receiveCss)
  const t = useText(receiveWords)
  const receive = useSnapshot((snapshot) => snapshot.receive)
  const all = useSnapshot((snapshot) => snapshot.network.networks)
  const networks = (receive?.networks ?? []).flatMap(
    (id) => all.find(({ caipNetworkId }) => caipNetworkId === id) ?? []
  )
  const [active, ...others] = networks
  return (
    <div className="receive">
      <QrCode uri={receive?.address ?? null} code={receive?.qr ?? null} label={t('receiveQr')}>
        {active && <Picture src={active.assets.imageUrl} name={active.name} of={{ network: active.caipNetworkId }} />}
      </QrCode>
      <Mine address={receive?.address} />
      {active && (
        <p className="only" data-testid="receive-network">
          {t(others.length > 0 ? 'receiveListed' : 'receiveOnly', active.name)}
        </p>
      )}
      {others.length > 0 && <Also networks={others} />}
    </div>
  )
}

/** The full address; a click copies it. It has both test ids that hosts look for. */
function Mine({ address }: { address: string | undefined }) {
  const t = useText(tokenWords)
  const dispatch = useDispatch()
  const account = useSnapshot(activeAccount)
  const copied = useSnapshot((snapshot) => snapshot.copied)
  if (!address || !account) return null
  const name = account.profileName ?? account.addressLabels[address]
  const image = account.profileImage
  return (
    <button
      type="button"
      className="mine"
      data-testid="receive-address-copy-button"
      title={t('copyAddress')}
      onClick={() => dispatch({ feature: 'account', event: { type: 'copyAsked' } })}
    >
      <Face image={image} address={address} />
      <span className="name">
        {name && (
          <strong>
            <bdi className="clip">{name}</bdi>
          </strong>
        )}
        <span className="full" dir="ltr" data-testid="receive-address">
          {address}
        </span>
      </span>
      <span className="unseen">{t('copyAddress')}</span>
      <Icon name={copied === address ? 'check' : 'copy'} />
      <span className="unseen" role="status">
        {copied === address && t('copied')}
      </span>
    </button>
  )
}

/** Other networks on which the address is also the account's. */
function Also({ networks }: { networks: readonly Network[] }) {
  const t = useText(receiveWords)
  return (
    <details className="also" data-testid="receive-networks">
      <summary>
        <span>{t('receiveAlso', String(networks.length))}</span>
        <span className="pile" aria-hidden="true">
          {networks.slice(0, PILE).map(({ caipNetworkId, name, assets }) => (
            <Picture key={caipNetworkId} src={assets.imageUrl} name={name} of={{ network: caipNetworkId }} />
          ))}
        </span>
        <Icon name="down" />
      </summary>
      <ul>
        {networks.map(({ caipNetworkId, name, assets }) => (
          <li key={caipNetworkId}>
            <Picture src={assets.imageUrl} name={name} of={{ network: caipNetworkId }} />
            <bdi className="clip">{name}</bdi>
          </li>
        ))}
      </ul>
    </details>
  )
}
