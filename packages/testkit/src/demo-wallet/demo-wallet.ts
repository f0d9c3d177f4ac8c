//! Demo wallet in the page: an EIP-1193 provider over test keys that prompts, refuses and remembers like a browser wallet.

import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { Emitter } from '../emitter.ts'
import {
  type Provider,
  ProviderRpcError,
  type RequestArguments,
  RPC_ERROR,
  unsupportedMethod,
  userRejected
} from '../provider.ts'
import { accountMethods } from './account-methods.ts'
import { TEST_PRIVATE_KEYS } from './accounts.ts'
import { announcement, type ProviderInfo, uuidV4 } from './announcement.ts'
import type { ApprovalChoice, Asker } from './approval/approval.ts'
import { approvalDialog } from './approval/dialog.ts'
import { ApprovalQueue } from './approval/queue.ts'
import { callMethods } from './call-methods.ts'
import { askChain, type Chain } from './chain.ts'
import { chainMethods } from './chain-methods.ts'
import { connectMethods, type OneClick } from './connect-methods.ts'
import { type DemoWalletControls, demoWalletControls } from './controls.ts'
import type { Hands, Method } from './hands.ts'
import { type IconMark, walletIcon } from './icon.ts'
import { concerns, type Mode, parseMode, underMode } from './mode.ts'
import { sendMethods } from './send-transaction.ts'
import { signMethods } from './sign-methods.ts'
import { WalletState } from './state.ts'
import { type KeyValueStorage, Memory } from './storage.ts'

export interface DemoWalletOptions {
  readonly chains: readonly Chain[]
  readonly name?: string | undefined
  readonly rdns?: string | undefined
  readonly uuid?: string | undefined
  readonly color?: string | undefined
  readonly mark?: IconMark | undefined
  /** Data URI; drawn from `color` and `mark` when absent. */
  readonly icon?: string | undefined
  /** Private keys; anvil's first three when absent. */
  readonly accounts?: readonly Hex[] | undefined
  /** Mode object or its text form, as in `slow:2000`. */
  readonly mode?: Mode | string | undefined
  readonly approval?: ApprovalChoice | undefined
  readonly locked?: boolean | undefined
  /** Supports atomic batches (EIP-5792), on chains that have Multicall3. */
  readonly batches?: boolean | undefined
  /** Knows `wallet_connect` (ERC-7846), and signs in honestly or with another text than it was asked for. */
  readonly oneClick?: OneClick | undefined
  /** Also take `window.ethereum` when it is free. */
  readonly legacy?: boolean | undefined
  /** Delay of the announcement in milliseconds, or `manual`: only on `controls.announce()`. */
  readonly late?: number | 'manual' | undefined
  /** Storage of permissions; the page's `localStorage` when absent. */
  readonly storage?: KeyValueStorage | undefined
}

export interface DemoWallet {
  readonly provider: Provider & { readonly isDemoWallet: true; isConnected(): boolean }
  readonly info: ProviderInfo
  /** Announces the wallet to the page (EIP-6963), delayed by the `late` option. */
  announce(): void
  readonly controls: DemoWalletControls
}

export const DEMO_WALLET_COLOR = '#6d4aff'

const METHODS: Record<string, Method> = {
  ...accountMethods,
  ...chainMethods,
  ...signMethods,
  ...sendMethods,
  ...callMethods,
  ...connectMethods
}

/** Rejected with 4200 although their names match the forwarded methods: they need keys or subscriptions on the node. */
const REFUSED_METHODS =
  /^eth_(sign|signTransaction|signTypedData(_v[13])?|subscribe|unsubscribe|getEncryptionPublicKey|decrypt)$/
const FORWARDED_METHODS = /^(eth|net|web3)_/

export function createDemoWallet(options: DemoWalletOptions): DemoWallet {
  const { color = DEMO_WALLET_COLOR, mark = 'arch', rdns = 'test.portico.demo' } = options
  const name = options.name ?? 'Demo Wallet'
  const icon = options.icon ?? walletIcon({ color, mark })
  const info: ProviderInfo = Object.freeze({ uuid: options.uuid ?? uuidV4(), name, icon, rdns })
  const keys = options.accounts ?? TEST_PRIVATE_KEYS
  const signers = new Map(
    keys.map((key) => privateKeyToAccount(key)).map((signer) => [lower(signer.address), signer] as const)
  )

  let mode = asMode(options.mode ?? 'normal')
  let approval = options.approval ?? 'dialog'
  const requests: RequestArguments[] = []
  const emitter = new Emitter()
  const state = new WalletState({
    accounts: [...signers.keys()],
    chains: options.chains,
    locked: options.locked ?? false,
    memory: new Memory(rdns, options.storage),
    emit(event, payload) {
      emitter.emit(event, payload)
      if (mode.type === 'twice') emitter.emit(event, payload)
    }
  })
  const dialog = approvalDialog({ name, icon, color })
  const queue = new ApprovalQueue(() => asAsker(approval, dialog))
  const hands = demoHands({
    state,
    signers,
    queue,
    batches: options.batches ?? false,
    oneClick: options.oneClick,
    currentMode: () => mode
  })

  const provider: DemoWallet['provider'] = {
    isDemoWallet: true,
    isConnected: () => state.connected,
    // Not `async`: in one mode it throws before it returns a promise.
    request(args) {
      requests.push(args)
      return underMode(mode, args, () => answer(hands, args))
    },
    on(event, listener) {
      emitter.add(event, listener)
      return provider
    },
    removeListener(event, listener) {
      emitter.remove(event, listener)
      return provider
    }
  }

  const presence = announcement(info, provider, options.legacy ?? false)
  const controls = demoWalletControls({
    state,
    queue,
    emitter,
    presence,
    requests,
    mode: {
      read: () => mode,
      write(next) {
        mode = asMode(next)
      }
    },
    chooseApproval(next) {
      approval = next
    }
  })
  const announce = () => {
    if (options.late === 'manual') return
    if (options.late === undefined) presence.announce()
    else setTimeout(presence.announce, options.late)
  }
  return { provider, info, announce, controls }
}

async function answer(hands: Hands, args: unknown): Promise<unknown> {
  const { method, params } = requestArguments(args)
  const own = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined
  // Without `batches` the methods of EIP-5792 count as unknown, and without `oneClick` that of ERC-7846.
  const known =
    own &&
    (hands.batches || !Object.hasOwn(callMethods, method)) &&
    (hands.oneClick || !Object.hasOwn(connectMethods, method))
  if (known) return own(hands, params)
  if (REFUSED_METHODS.test(method) || !FORWARDED_METHODS.test(method)) throw unsupportedMethod(method)
  return hands.forward(method, params)
}

function requestArguments(args: unknown): RequestArguments {
  const { method, params } = (typeof args === 'object' && args !== null ? args : {}) as Partial<RequestArguments>
  if (typeof method !== 'string' || method === '') {
    throw new ProviderRpcError(-32600, 'Expected a request with a method.')
  }
  return { method, params }
}

interface HandsParts {
  readonly state: WalletState
  readonly signers: ReadonlyMap<string, ReturnType<typeof privateKeyToAccount>>
  readonly queue: ApprovalQueue
  readonly batches: boolean
  readonly oneClick: OneClick | undefined
  readonly currentMode: () => Mode
}

function demoHands({ state, signers, queue, batches, oneClick, currentMode }: HandsParts): Hands {
  const running = new Set<string>()
  let turn: Promise<unknown> = Promise.resolve()
  const origin = globalThis.location?.origin ?? 'null'
  return {
    origin,
    state,
    batches,
    oneClick,
    signer(address) {
      const signer = signers.get(address)
      if (!signer) throw new ProviderRpcError(RPC_ERROR.unauthorized, `The wallet holds no key for ${address}.`)
      return signer
    },
    async ask(method, question) {
      const mode = currentMode()
      if (mode.type === 'refuse' && concerns(mode, method)) throw userRejected()
      const decision = await queue.ask({ origin, method, ...question })
      if (!decision.approved) throw userRejected()
      return decision
    },
    async forward(method, params, chain = state.chain) {
      try {
        const answered = await askChain(chain.rpcUrl, method, params)
        state.reached()
        return answered
      } catch (error) {
        if (error instanceof ProviderRpcError && error.code === RPC_ERROR.disconnected) state.lost(error)
        else state.reached()
        throw error
      }
    },
    async alone(kind, run) {
      if (running.has(kind)) {
        const message = `Request of type '${kind}' already pending for origin ${origin}. Please wait.`
        throw new ProviderRpcError(RPC_ERROR.alreadyPending, message)
      }
      running.add(kind)
      return run().finally(() => running.delete(kind))
    },
    inTurn(run) {
      const result = turn.then(run)
      turn = result.catch(() => {})
      return result
    }
  }
}

function asMode(mode: Mode | string): Mode {
  return typeof mode === 'string' ? parseMode(mode) : mode
}

function asAsker(choice: ApprovalChoice, dialog: Asker): Asker {
  if (choice === 'dialog') return dialog
  return choice === 'auto' ? () => true : choice
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address
}
