//! Connection to one wallet, or by one login, that the host names: without the list, where that is possible.

import type { CoreEvent, Social } from '../../generated/core.ts'
import type { AppKit } from '../AppKit.ts'
import { chainIdOf } from '../caip.ts'
import { currentAppKit, subscribeKit } from '../current.ts'
import type { ChainNamespace } from '../options.ts'
import { PorticoError } from '../PorticoError.ts'
import { type ConnectorInfo, statusOf } from '../select.ts'
import { isNamed, kindOf } from './names.ts'

/** Account that a wallet button connected. */
export interface WalletButtonAccount {
  readonly address: string
  /** Chain number on EVM chains, the CAIP-2 reference on others. */
  readonly chainId: number | string
  readonly chainNamespace: ChainNamespace
}

/** Wallet or login by its word: `walletConnect`, `email`, a service of `features.socials`, or a wallet's name in small letters. */
export type WalletName = 'walletConnect' | 'email' | Social | (string & {})

export interface WalletButtonOptions {
  /** Default: the active namespace. */
  readonly namespace?: ChainNamespace | undefined
}

export interface AppKitWalletButton {
  /** Whether `connect` may be called: the modal is there, and no wallet is connected or connecting. */
  isReady(): boolean
  /** Calls back with each change of `isReady`. Returns a function that ends that. */
  subscribeIsReady(tell: (state: { readonly isReady: boolean }) => void): () => void
  /** Connects this wallet, or opens the modal at the place where the visitor can. */
  connect(wallet: WalletName): Promise<WalletButtonAccount>
  /** Opens the form for a new address of the login by email. Resolves when the visitor changed it, rejects when the modal is closed. */
  updateEmail(): Promise<{ readonly email: string }>
}

/** Connects wallets by name. It works on the modal that `createAppKit` made last, also if that is made later. */
export function createAppKitWalletButton({ namespace }: WalletButtonOptions = {}): AppKitWalletButton {
  return {
    isReady: () => isReady(currentAppKit(), namespace),
    subscribeIsReady(tell) {
      let before = isReady(currentAppKit(), namespace)
      return subscribeKit(currentAppKit, () => {
        const now = isReady(currentAppKit(), namespace)
        if (now === before) return
        before = now
        tell({ isReady: now })
      })
    },
    connect: async (wallet) => connectWallet(kitOf(), wallet, namespace),
    updateEmail: async () => updateEmail(kitOf())
  }
}

export function isReady(kit: AppKit | undefined, namespace: ChainNamespace | undefined): boolean {
  if (!kit) return false
  const snapshot = kit.engine.store.get()
  return !snapshot.modal.loading && statusOf(snapshot, namespace) === 'disconnected'
}

function kitOf(): AppKit {
  const kit = currentAppKit()
  if (!kit) throw new PorticoError('noModal', 'Call createAppKit before you use a wallet button')
  return kit
}

export async function connectWallet(
  kit: AppKit,
  wallet: WalletName,
  namespace: ChainNamespace | undefined
): Promise<WalletButtonAccount> {
  const kind = kindOf(wallet)
  const login = kind === 'email' || kind === 'social'
  await kit.engine.load()
  const connectorId = login ? 'AUTH' : idOf(kit.getConnectors() ?? [], wallet, namespace)
  const connecting = kit.connect({ connectorId, ...(namespace && { namespace }) })
  if (kind === 'social') void chooseSocial(kit, wallet as Social, connecting)
  const { address, caipNetworkId, chainNamespace } = await connecting
  return { address, chainId: chainIdOf(caipNetworkId) ?? '', chainNamespace }
}

/** Id of the wallet of this name: one of the browser, else one of the directory, else that of any remote wallet. */
function idOf(connectors: readonly ConnectorInfo[], wallet: string, namespace: ChainNamespace | undefined): string {
  const serves = ({ chain }: ConnectorInfo) => !namespace || chain === undefined || chain === namespace
  const fitting = connectors.filter((one) => (one.connectors[0] ? one.connectors.some(serves) : serves(one)))
  const named = fitting.filter(({ id, name }) => id === wallet || isNamed(name, wallet))
  const found = named.find(({ type }) => type !== 'WALLET_CONNECT') ?? named[0]
  if (found) return found.id
  return fitting.some(({ id }) => id === 'walletConnect') ? 'walletConnect' : wallet
}

/** Begins the login at a service as soon as the server has said which ones it has. The list stays if it lacks this one. */
async function chooseSocial(kit: AppKit, social: Social, ended: Promise<unknown>): Promise<void> {
  const { store } = kit.engine
  const isOffered = () => Boolean(store.get().embedded?.social.offered)
  if (await firstOf(kit, isOffered, ended)) tell(kit, { feature: 'embedded', event: { type: 'socialChosen', social } })
}

async function updateEmail(kit: AppKit): Promise<{ readonly email: string }> {
  const emailNow = () => kit.getAccount('eip155').embeddedWalletInfo?.user.email
  const before = emailNow()
  if (before === undefined) throw new PorticoError('accountNotFound', 'Log in by email before you change the address')
  await kit.open({ view: 'Account' })
  tell(kit, { feature: 'modal', event: { type: 'viewAsked', view: 'UpdateEmailWallet' } })
  const closed = new Promise<void>((resolve) => {
    const stop = kit.engine.store.subscribe(() => {
      if (kit.isOpen()) return
      stop()
      resolve()
    })
  })
  await firstOf(kit, () => emailNow() !== before, closed)
  const email = emailNow()
  if (email === undefined || email === before)
    throw new PorticoError('modalClosed', 'The modal was closed before the address was changed')
  return { email }
}

function tell(kit: AppKit, event: CoreEvent): void {
  void kit.engine.call('tell', [event])
}

/** Waits until the state fits: `true`; or until something else has ended: `false`. */
function firstOf(kit: AppKit, fits: () => boolean, ended: Promise<unknown>): Promise<boolean> {
  if (fits()) return Promise.resolve(true)
  return new Promise((resolve) => {
    const settle = (answer: boolean) => {
      stop()
      resolve(answer)
    }
    const stop = kit.engine.store.subscribe(() => fits() && settle(true))
    const end = () => settle(false)
    ended.then(end, end)
  })
}
