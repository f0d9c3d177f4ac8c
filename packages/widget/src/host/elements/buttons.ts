//! Appearance and action of each button.

import type { AppKit } from '../AppKit.ts'
import type { ChainNamespace, OpenOptions } from '../options.ts'
import { accountState, statusOf } from '../select.ts'
import { make } from '../stage.ts'
import type { Look, Read } from './define.ts'

const SIZES = ['sm', 'md', 'lg']

export function sizeOf(read: Read): string {
  const wanted = read('size') ?? ''
  return SIZES.includes(wanted) ? wanted : 'md'
}

export function namespaceOf(read: Read): ChainNamespace | undefined {
  return read('namespace') as ChainNamespace | undefined
}

/** React 18 writes `disabled="false"`. */
const disabledBy = (read: Read): boolean => (read('disabled') ?? 'false') !== 'false'

/** A press on the button closes an open modal. Closing before a connection is not an error. */
function toggle(kit: AppKit, options: OpenOptions): void {
  if (kit.isOpen()) void kit.close()
  else kit.open(options).catch(() => {})
}

export const appKitButton: Look = (kit, read) => {
  const connected = accountState(kit.engine.store.get(), namespaceOf(read))?.isConnected
  return (connected ? accountButton : connectButton)(kit, read)
}

export const connectButton: Look = (kit, read) => {
  const snapshot = kit.engine.store.get()
  const namespace = namespaceOf(read)
  const { labels } = kit.engine
  const busy = snapshot.modal.loading || statusOf(snapshot, namespace) === 'connecting'
  const words = busy ? (read('loadingLabel') ?? labels.connecting) : (read('label') ?? labels.connect)
  return {
    key: words,
    disabled: disabledBy(read),
    classes: `main ${sizeOf(read)}`,
    testId: namespace ? `connect-button-${namespace}` : 'connect-button',
    draw: () => [words],
    press: () => toggle(kit, namespace ? { namespace } : {})
  }
}

/** The account's appearance comes from the core; until then the button is empty. */
export const accountButton: Look = (kit, read) => {
  const namespace = namespaceOf(read)
  return {
    key: '',
    classes: 'md',
    testId: 'account-button',
    draw: () => [],
    ...kit.engine.calls?.accountButton(read),
    disabled: disabledBy(read),
    press: () => toggle(kit, namespace ? { namespace } : {})
  }
}

export const networkButton: Look = (kit, read) => {
  const { network, connect } = kit.engine.store.get()
  const picture = pictureOf(kit, network.active?.caipNetworkId) ?? network.active?.assets.imageUrl ?? undefined
  const { labels, calls } = kit.engine
  const wanted = network.unsupported === null ? network.active?.name : labels.change
  const words =
    read('label') ??
    wanted ??
    (connect.statuses.some((one) => one.status === 'connected') ? labels.unknown : labels.select)
  return {
    // Without a picture of the host, the mark comes with the core, so not before a click.
    key: [words, picture ?? (calls && network.active?.caipNetworkId)],
    disabled: disabledBy(read),
    classes: 'md',
    testId: 'w3m-network-button',
    draw() {
      const name = make('span', { dir: 'auto', 'data-testid': 'wui-network-button' }, words)
      if (picture === undefined) return [calls?.networkMark() ?? '', name]
      const image = make('img', { class: 'picture', src: picture, alt: '' })
      // The image URL may not load.
      image.onerror = () => image.remove()
      return [image, name]
    },
    press: () => toggle(kit, { view: 'Networks' })
  }
}

/** Chain images are keyed by number or by CAIP-2 id. */
function pictureOf(kit: AppKit, caipNetworkId: string | undefined): string | undefined {
  const images = kit.options.chainImages
  return caipNetworkId && (images?.[caipNetworkId] ?? images?.[caipNetworkId.replace(/^.*:/, '')])
}
