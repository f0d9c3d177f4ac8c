//! The element `<appkit-wallet-button>`. Its class is made inside `defineWalletButton`: a server has no `HTMLElement`.

import { elementOf, type Look, type Read } from '../elements/define.ts'
import type { ChainNamespace } from '../options.ts'
import { statusOf } from '../select.ts'
import { make } from '../stage.ts'
import { isNamed, titleOf } from './names.ts'
import { connectWallet, isReady } from './walletButton.ts'

/** Wallet of a button without the attribute. */
const DEFAULT = 'metamask'

/** Pictures of the browser's wallets by their names, as they announce themselves (EIP-6963). */
const pictures = new Map<string, string>()

/** Defines the element, once per page. */
export function defineWalletButton(): void {
  if (typeof customElements === 'undefined') return
  for (const name of ['appkit-wallet-button', 'w3m-wallet-button'])
    if (!customElements.get(name)) customElements.define(name, named())
  addEventListener('eip6963:announceProvider', (event) => {
    const { name, icon } = (event as CustomEvent).detail?.info ?? {}
    // Only a picture that needs no request.
    if (typeof name === 'string' && typeof icon === 'string' && /^data:image\//.test(icon)) pictures.set(name, icon)
  })
  dispatchEvent(new Event('eip6963:requestProvider'))
}

/** Class of the element. Its attribute is no property: frameworks then set the attribute. */
function named(): CustomElementConstructor {
  const Button = elementOf(walletButton) as CustomElementConstructor & {
    readonly observedAttributes: readonly string[]
  }
  return class extends Button {
    static override readonly observedAttributes = [...Button.observedAttributes, 'wallet']
  }
}

const walletButton: Look = (kit, read) => {
  const wallet = read('wallet') ?? DEFAULT
  const namespace = namespaceOf(read)
  const busy = statusOf(kit.engine.store.get(), namespace) === 'connecting'
  const name = busy ? kit.engine.labels.connecting : titleOf(wallet)
  const picture = [...pictures].find(([known]) => isNamed(known, wallet))?.[1]
  return {
    key: [name, picture],
    disabled: (read('disabled') ?? 'false') !== 'false' || !isReady(kit, namespace),
    classes: sizeOf(read),
    testId: `apkt-wallet-button-${wallet}`,
    draw() {
      const label = make('span', { dir: 'auto' }, name)
      return picture ? [make('img', { class: 'picture', src: picture, alt: '' }), label] : [label]
    },
    // A page that needs the reason of a failure calls `connect` of `createAppKitWalletButton`.
    press: () => void connectWallet(kit, wallet, namespace).catch(() => {})
  }
}

function namespaceOf(read: Read): ChainNamespace | undefined {
  return read('namespace') as ChainNamespace | undefined
}

function sizeOf(read: Read): string {
  const size = read('size') ?? ''
  return ['sm', 'md', 'lg'].includes(size) ? size : 'md'
}
