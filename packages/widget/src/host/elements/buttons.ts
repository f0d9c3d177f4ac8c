//! How each button looks and what it does.

import type { AppKit } from '../AppKit.ts'
import type { OpenOptions } from '../options.ts'
import { accountState, statusOf } from '../select.ts'
import { make } from '../stage.ts'
import { drawAvatar } from './avatar.ts'
import type { Attributes, Look } from './define.ts'

const SIZES = ['sm', 'md', 'lg']

function size(attributes: Attributes): string {
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
    classes: `main ${size(attributes)}`,
    testId: namespace ? `connect-button-${namespace}` : 'connect-button',
    draw: () => [words],
    press: () => toggle(kit, namespace ? { namespace } : {})
  }
}

export const accountButton: Look = (kit, attributes) => {
  const snapshot = kit.engine.store.get()
  const { namespace } = attributes
  const account = accountState(snapshot, namespace)
  const address = account?.address ?? ''
  const unsupported = snapshot.network.unsupported !== null && account?.namespace === snapshot.network.activeNamespace
  const frame = {
    disabled: attributes.has('disabled'),
    press: () => toggle(kit, namespace ? { namespace } : {})
  }
  if (unsupported) {
    const key = 'Switch Network'
    return { ...frame, key, classes: 'md', testId: 'wui-account-button-unsupported-chain', draw: () => [key] }
  }
  const name =
    account?.profileName ?? shorten(address, count(attributes, 'charsstart', 4), count(attributes, 'charsend', 6))
  const shown = attributes.read('balance') !== 'hide'
  const amount = account?.balance == null ? null : `${grouped(account.balance)} ${account.balanceSymbol ?? ''}`
  const loading = account?.balanceState === 'loading'
  return {
    ...frame,
    key: [address, name, shown && [amount, loading]],
    classes: `with ${size(attributes)}`,
    testId: namespace ? `account-button-${namespace}` : 'account-button',
    draw() {
      const balance =
        amount === null
          ? loading
            ? make('span', { class: 'bone', 'aria-hidden': 'true' })
            : ''
          : make('span', { class: 'balance' }, amount)
      return [drawAvatar(address), make('span', {}, name), ...(shown && balance ? [balance] : [])]
    }
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
      return [...image, make('span', { 'data-testid': 'wui-network-button' }, words)]
    },
    press: () => toggle(kit, { view: 'Networks' })
  }
}

/** Chain images are given by number or by CAIP-2 id. */
function pictureOf(kit: AppKit, caipNetworkId: string | undefined): string | undefined {
  const images = kit.options.chainImages
  return caipNetworkId && (images?.[caipNetworkId] ?? images?.[caipNetworkId.replace(/^.*:/, '')])
}

function count(attributes: Attributes, name: string, usual: number): number {
  const wanted = Number(attributes.read(name) ?? usual)
  return Number.isInteger(wanted) && wanted >= 0 ? wanted : usual
}

/** The words of the buttons are English, and so are their numbers. */
function grouped(amount: string): string {
  return amount.replace(/^\d+/, (whole) => BigInt(whole).toLocaleString('en'))
}

function shorten(address: string, start: number, end: number): string {
  return address.length <= start + end ? address : `${address.slice(0, start)}…${address.slice(address.length - end)}`
}
