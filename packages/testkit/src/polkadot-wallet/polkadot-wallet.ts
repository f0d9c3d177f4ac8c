//! Demo extension of Polkadot in the page, over the public development accounts: it prompts, refuses and remembers like an extension, and signs with
//! `@polkadot/keyring`. It is an entry of its own, `@portico/testkit/polkadot`, because its libraries are large.

import { Keyring } from '@polkadot/keyring'
import { hexToU8a, u8aToHex, u8aWrapBytes } from '@polkadot/util'
import type { Approval, ApprovalChoice, Question } from '../demo-wallet/approval/approval.ts'
import { approvalDialog } from '../demo-wallet/approval/dialog.ts'
import { ApprovalQueue } from '../demo-wallet/approval/queue.ts'
import { walletIcon } from '../demo-wallet/icon.ts'
import type { KeyValueStorage } from '../demo-wallet/storage.ts'

/** `refuse` refuses whatever is asked, `silent` never answers, `nonsense` answers with texts that mean nothing. */
export type PolkadotWalletMode = 'normal' | 'refuse' | 'silent' | 'nonsense'

export interface PolkadotWalletOptions {
  /** Name of the entry in `window.injectedWeb3`. */
  readonly name?: string | undefined
  readonly color?: string | undefined
  readonly approval?: ApprovalChoice | undefined
  readonly mode?: PolkadotWalletMode | undefined
  /** Whether the visitor shows all accounts at once, and not the chosen one alone. */
  readonly sharesAll?: boolean | undefined
  /** Storage of the permission; the page's `localStorage` when absent. */
  readonly storage?: KeyValueStorage | undefined
}

/** Account as an extension shows it to a page. */
export interface PolkadotAccount {
  readonly address: string
  readonly name: string
  readonly type: 'sr25519'
}

export interface PolkadotWallet {
  /** Entry in `window.injectedWeb3`. */
  readonly entry: {
    readonly version: string
    enable(origin: string): Promise<Injected>
  }
  /** Puts the entry into the page. */
  register(): void
  /** The visitor's actions in the extension. */
  readonly controls: {
    readonly pending: readonly Approval[]
    /** Addresses of all accounts, with the generic prefix 42. */
    readonly addresses: readonly string[]
    /** Names by which pages presented themselves. */
    readonly origins: readonly string[]
    /** Whether the page may see accounts. */
    readonly permitted: boolean
    /** Number of subscriptions that the page has. */
    readonly subscriptions: number
    setMode(mode: PolkadotWalletMode): void
    /** Shows only this account to the page; a page without permission hears nothing. */
    switchAccount(index: number): void
    /** Takes the permission away. */
    revoke(): void
  }
}

interface Injected {
  readonly accounts: {
    get(anyType?: boolean): Promise<readonly PolkadotAccount[]>
    subscribe(listener: (accounts: readonly PolkadotAccount[]) => void): () => void
  }
  readonly signer: {
    signRaw(raw: { address: string; data: string; type: 'bytes' }): Promise<{ id: number; signature: string }>
    signPayload(payload: { address: string; method: string }): Promise<{ id: number; signature: string }>
  }
}

/** Names of the public development accounts; each is also its path of derivation. They are publicly known: never use them for real money. */
const NAMES = ['Alice', 'Bob'] as const

export function createPolkadotWallet(options: PolkadotWalletOptions = {}): PolkadotWallet {
  const { name = 'Demo Polkadot Wallet', color = '#701a75' } = options
  const memory = `demo-wallet/${name}`
  const storage = options.storage ?? localStorage
  const keyring = new Keyring({ type: 'sr25519' })
  const pairs = NAMES.map((one) => keyring.addFromUri(`//${one}`, { name: one }))
  const listeners = new Set<(accounts: readonly PolkadotAccount[]) => void>()
  const origins: string[] = []
  const stored = storage.getItem(memory)
  let shown: number | undefined = stored ? Number(stored) : undefined
  let mode = options.mode ?? 'normal'
  let requests = 0
  const choice = options.approval ?? 'dialog'
  const dialog = approvalDialog({ name, icon: walletIcon({ color, mark: 'wave' }), color })
  const queue = new ApprovalQueue(() => (choice === 'dialog' ? dialog : choice === 'auto' ? () => true : choice))

  function remember(account: number | undefined): void {
    shown = account
    storage.setItem(memory, account === undefined ? '' : String(account))
  }

  function visible(): readonly PolkadotAccount[] {
    const seen = pairs.filter((_, index) => shown !== undefined && (options.sharesAll || index === shown))
    return seen.map(({ address, meta }) => ({
      address: mode === 'nonsense' ? `${address.slice(0, -1)}x` : address,
      name: String(meta.name),
      type: 'sr25519'
    }))
  }

  function changed(): void {
    for (const listener of listeners) listener(visible())
  }

  async function ask(method: string, question: Question) {
    if (mode === 'silent') await new Promise(() => {})
    const decision = mode === 'refuse' ? undefined : await queue.ask({ origin: location.origin, method, ...question })
    // Extensions refuse by this word, without a code.
    if (!decision?.approved) throw new Error('Cancelled')
    return decision
  }

  async function sign(method: string, address: string, bytes: Uint8Array, message: string) {
    const pair = keyring.getPair(address)
    if (!visible().some((one) => one.address === pair.address)) throw new Error('The account is not shown to this page')
    await ask(method, { kind: 'sign', account: pair.address, network: 'Polkadot', message })
    requests += 1
    return { id: requests, signature: mode === 'nonsense' ? '0x00' : u8aToHex(pair.sign(bytes)) }
  }

  const injected: Injected = {
    accounts: {
      get: async () => visible(),
      subscribe(listener) {
        listeners.add(listener)
        listener(visible())
        return () => void listeners.delete(listener)
      }
    },
    signer: {
      async signRaw({ address, data }) {
        const bytes = hexToU8a(data)
        return sign('signRaw', address, u8aWrapBytes(bytes), new TextDecoder().decode(bytes))
      },
      async signPayload({ address, method }) {
        return sign('signPayload', address, hexToU8a(method), `Transaction ${method}`)
      }
    }
  }

  const wallet: PolkadotWallet = {
    entry: {
      version: '0.0.1',
      async enable(origin) {
        origins.push(origin)
        if (shown === undefined) {
          const accounts = pairs.map(({ address }) => address)
          const [selected = ''] = accounts
          const chosen = await ask('enable', { kind: 'connect', accounts, selected })
          remember(Math.max(0, accounts.indexOf(chosen.account ?? selected)))
        }
        return injected
      }
    },
    register() {
      const page = window as unknown as { injectedWeb3?: Record<string, unknown> }
      page.injectedWeb3 = { ...page.injectedWeb3, [name]: wallet.entry }
    },
    controls: {
      get addresses() {
        return pairs.map(({ address }) => address)
      },
      get pending() {
        return queue.pending
      },
      get permitted() {
        return shown !== undefined
      },
      get subscriptions() {
        return listeners.size
      },
      origins,
      setMode(next) {
        mode = next
      },
      switchAccount(index) {
        if (pairs[index] === undefined) throw new RangeError(`The demo extension has no account ${index}.`)
        if (shown === undefined) return
        remember(index)
        changed()
      },
      revoke() {
        remember(undefined)
        changed()
      }
    }
  }
  return wallet
}
