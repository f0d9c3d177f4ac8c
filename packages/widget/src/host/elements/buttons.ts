//! How each button looks and what it does.

import type { AppKit } from '../AppKit.ts'
import type { OpenOptions } from '../options.ts'
import { accountState, statusOf } from '../select.ts'
import { make } from '../stage.ts'
import type { Attributes, Look } from './define.ts'

const SIZES = ['sm', 'md', 'lg']

export function sizeOf(attributes: Attributes): string {
  const wanted = attributes.read('size') ?? ''
  return SIZES.includes(wanted) ? wanted : 'md'
}

/** An open modal is closed by the button that opened it. A call that was taken back is nobody's error. */
function toggle(kit: AppKit, options: OpenOptions): void {
  if (kit.isOpen()) void kit.close()
  else kit.open(options).catch(() => {})
}

export const appKitButton: Look = (kit, attributes) => {
  const connected = accountState(kit.engine.store.get(), attributes.namespace)?.isConnected
  return (connected ? accountButton : connectButton)(kit, attributes)
}

export const connectButton: Look = (kit, attributes) => {
  const snapshot = kit.engine.store.get()
  const { namespace } = attributes
  const busy = snapshot.modal.loading || statusOf(snapshot, namespace) === 'connecting'
  const words = busy
    ? (attributes.read('loadinglabel') ?? 'Connecting...')
    : (attributes.read('label') ?? 'Connect Wallet')
  return {
    key: words,
    disabled: attributes.has('disabled'),
    classes: `main ${sizeOf(attributes)}`,
    testId: namespace ? `connect-button-${namespace}` : 'connect-button',
    draw: () => [words],
    press: () => toggle(kit, namespace ? { namespace } : {})
  }
}

/** What an account looks like comes with the core. */
export const accountButton: Look = (kit, attributes) => {
  const { namespace } = attributes
  return {
    key: '',
    classes: 'md',
    testId: 'account-button',
    draw: () => [],
    ...kit.engine.calls?.accountButton(attributes),
    disabled: attributes.has('disabled'),
    press: () => toggle(kit, namespace ? { namespace } : {})
  }
}

export const networkButton: Look = (kit, attributes) => {
  const { network, connect } = kit.engine.store.get()
  const picture = pictureOf(kit, network.active?.caipNetworkId) ?? network.active?.assets.imageUrl ?? undefined
  const wanted = network.unsupported === null ? network.active?.name : 'Switch Network'
  const words =
    attributes.read('label') ??
    wanted ??
    (connect.statuses.some((one) => one.status === 'connected') ? 'Unknown Network' : 'Select Network')
  return {
    key: [words, picture],
    disabled: attributes.has('disabled'),
    classes: 'md',
    testId: 'w3m-network-button',
    draw() {
      const image = picture === undefined ? [] : [make('img', { class: 'picture', src: picture, alt: '' })]
      return [...image, make('span', { dir: 'auto', 'data-testid': 'wui-network-button' }, words)]
    },
    press: () => toggle(kit, { view: 'Networks' })
  }
}

/** Chain images are given by number or by CAIP-2 id. */
function pictureOf(kit: AppKit, caipNetworkId: string | undefined): string | undefined {
  const images = kit.options.chainImages
  return caipNetworkId && (images?.[caipNetworkId] ?? images?.[caipNetworkId.replace(/^.*:/, '')])
}
