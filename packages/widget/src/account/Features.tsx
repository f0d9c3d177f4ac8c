import type { AccountState, Namespace, View, WalletFeature } from '../generated/core.ts'
import { useDispatch } from '../shell/react.tsx'
import type { Key } from '../text/en.ts'
import { useText } from '../text/text.tsx'
import { Icon, type IconName } from '../ui/Icon.tsx'

const kinds: Readonly<Record<WalletFeature, readonly [Key, IconName, View]>> = {
  onramp: ['buy', 'plus', 'OnRampProviders'],
  swaps: ['titleSwap', 'swap', 'Swap'],
  receive: ['titleWalletReceive', 'arrowDown', 'WalletReceive'],
  send: ['send', 'send', 'WalletSend']
}

/** The core has other forms for payments on these chains; each is fetched when the pointer is on the button. */
const forms: Partial<Record<Namespace, View>> = { solana: 'SolanaSend', bip122: 'BitcoinSend' }

/** Buttons for the wallet features, in the order of the core. Each has both test ids that hosts look for. */
export function Features({ account: { namespace, walletFeatures } }: { account: AccountState }) {
  const t = useText()
  const dispatch = useDispatch()
  if (walletFeatures.length === 0) return null
  return (
    <div className="features" data-testid="w3m-account-wallet-features-widget">
      {walletFeatures.map((feature) => {
        const [word, icon, usual] = kinds[feature]
        const view = (feature === 'send' && forms[namespace]) || usual
        return (
          <span key={feature} data-testid={`w3m-account-default-${feature}-button`}>
            <button
              type="button"
              className="feature"
              data-testid={`wallet-features-${feature}-button`}
              data-ahead={view}
              onClick={() => dispatch({ feature: 'modal', event: { type: 'viewAsked', view } })}
            >
              <Icon name={icon} />
              <span>{t(word)}</span>
            </button>
          </span>
        )
      })}
    </div>
  )
}
