//! Demo wallet of Bitcoin in the page, over test keys: it prompts, refuses and remembers like a browser wallet, and speaks the Wallet
//! Standard or sats-connect.

import type { Approval, ApprovalChoice, Question } from '../demo-wallet/approval/approval.ts'
import { approvalDialog } from '../demo-wallet/approval/dialog.ts'
import { ApprovalQueue } from '../demo-wallet/approval/queue.ts'
import { type IconMark, walletIcon } from '../demo-wallet/icon.ts'
import type { KeyValueStorage } from '../demo-wallet/storage.ts'
import { BITCOIN_TEST_KEYS } from './keys.ts'
import { broadcast, paymentsIn, signPsbt, transfer } from './psbt.ts'
import { satsConnectFace } from './sats-connect.ts'
import { type BitcoinKey, type BitcoinNetworkName, keysOf, type PaymentKind, signText } from './signing.ts'
import { standardFace } from './standard.ts'

export interface BitcoinWalletOptions {
  readonly name?: string | undefined
  readonly color?: string | undefined
  readonly mark?: IconMark | undefined
  /** Secret keys of 32 bytes; three public test keys when absent. */
  readonly keys?: readonly Uint8Array[] | undefined
  /** Network of a new visitor. Default `mainnet`. */
  readonly network?: BitcoinNetworkName | undefined
  /** Kind of the payment address. Default `p2wpkh`. */
  readonly payment?: PaymentKind | undefined
  /** URL of a node by the name of its network, for transactions that the wallet sends. */
  readonly nodes?: Readonly<Partial<Record<BitcoinNetworkName, string>>> | undefined
  readonly approval?: ApprovalChoice | undefined
  readonly mode?: BitcoinWalletMode | undefined
  /** Storage of the permission; the page's `localStorage` when absent. */
  readonly storage?: KeyValueStorage | undefined
}

/**
 * `refuse` refuses whatever is asked, `silent` never answers, `other` signs another message or transaction than the one that it was asked for,
 * `nonsense` answers with texts that mean nothing. For transactions alone: `sighash` signs the inputs but not the outputs, `some` leaves out
 * the last input, `final` answers with finished inputs in place of signatures, `broadcast` sends what it was asked to sign only.
 */
export type BitcoinWalletMode =
  | 'normal'
  | 'refuse'
  | 'silent'
  | 'other'
  | 'nonsense'
  | 'sighash'
  | 'some'
  | 'final'
  | 'broadcast'

/** Transaction that a page asks the wallet to sign. */
export interface PsbtRequest {
  readonly psbt: Uint8Array
  readonly network: BitcoinNetworkName
  readonly inputs: readonly { readonly address: string; readonly index: number }[]
  /** Whether the page asks the wallet to send it too. */
  readonly broadcast: boolean
}

/** The wallet behind its faces. */
export interface BitcoinVault {
  readonly name: string
  readonly icon: string
  readonly mode: BitcoinWalletMode
  readonly network: BitcoinNetworkName
  /** Addresses that the page may see, on a network. */
  permitted(network?: BitcoinNetworkName): readonly BitcoinKey[]
  connect(network?: BitcoinNetworkName): Promise<readonly BitcoinKey[]>
  disconnect(): void
  switchNetwork(network: BitcoinNetworkName): void
  signMessage(address: string, message: string, protocol: 'ecdsa' | 'bip322' | undefined): Promise<Uint8Array>
  signPsbt(request: PsbtRequest): Promise<{ readonly psbt: Uint8Array; readonly txid?: string }>
  send(to: string, satoshis: number): Promise<string>
  follow(changed: () => void): void
}

export interface BitcoinWallet {
  /** The wallet as it registers itself by the Wallet Standard. */
  readonly standard: ReturnType<typeof standardFace>
  /** Object of sats-connect: `request(method, params)` and `addListener`. */
  readonly satsConnect: ReturnType<typeof satsConnectFace>
  /** Registers the wallet in the page in one of the two ways. */
  register(way?: 'standard' | 'satsConnect'): void
  /** The visitor's actions in the wallet. */
  readonly controls: {
    readonly pending: readonly Approval[]
    /** Payment addresses of all accounts on the wallet's network. */
    readonly addresses: readonly string[]
    /** Ids of the transactions that the wallet sent, its transfers included. */
    readonly broadcasts: readonly string[]
    readonly connected: boolean
    setMode(mode: BitcoinWalletMode): void
    setApproval(approval: ApprovalChoice): void
    approve(): boolean
    refuse(): boolean
    /** Selects another account; a page without permission hears nothing. */
    switchAccount(index: number): void
    switchNetwork(network: BitcoinNetworkName): void
    /** Takes the permission away. */
    revoke(): void
  }
}

const NOT_CONNECTED = 4100
const INTERNAL = -32_603

export function createBitcoinWallet(options: BitcoinWalletOptions = {}): BitcoinWallet {
  const { name = 'Demo Bitcoin Wallet', color = '#7c2d12', mark = 'wave' } = options
  const icon = walletIcon({ color, mark })
  const memory = `demo-wallet/${name}`
  const storage = options.storage ?? localStorage
  const secrets = options.keys ?? BITCOIN_TEST_KEYS
  const listeners = new Set<() => void>()
  const broadcasts: string[] = []
  const [stored, storedNetwork] = (storage.getItem(memory) ?? '').split(' ')
  let permitted: number | undefined = stored ? Number(stored) : undefined
  let network = (storedNetwork as BitcoinNetworkName | undefined) ?? options.network ?? 'mainnet'
  let mode = options.mode ?? 'normal'
  let approval = options.approval ?? 'dialog'
  const dialog = approvalDialog({ name, icon, color })
  const queue = new ApprovalQueue(() => (approval === 'dialog' ? dialog : approval === 'auto' ? () => true : approval))

  const paymentsOf = () => secrets.map((secret) => keysOf(secret, network, options.payment)[0]?.address ?? '')

  function remember(account: number | undefined): void {
    permitted = account
    storage.setItem(memory, account === undefined ? '' : `${account} ${network}`)
  }

  function changed(): void {
    for (const listener of listeners) listener()
  }

  async function ask(method: string, question: Question) {
    if (mode === 'silent') await new Promise(() => {})
    const decision = mode === 'refuse' ? undefined : await queue.ask({ origin: location.origin, method, ...question })
    if (decision?.approved) return decision
    throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
  }

  /** Key of an address that the page may use, on whatever network. */
  function keyOf(address: string): { key: BitcoinKey; at: BitcoinNetworkName } {
    // Networks for tests share addresses: the wallet's own network is the first.
    for (const at of [network, 'mainnet', 'signet', 'regtest'] as const) {
      const key = vault.permitted(at).find((one) => one.address === address)
      if (key) return { key, at }
    }
    throw Object.assign(new Error('The account has not been authorized by the user.'), { code: NOT_CONNECTED })
  }

  const vault: BitcoinVault = {
    name,
    icon,
    get mode() {
      return mode
    },
    get network() {
      return network
    },
    permitted(at = network) {
      const secret = permitted === undefined ? undefined : secrets[permitted]
      return secret === undefined ? [] : keysOf(secret, at, options.payment)
    },
    async connect(at = network) {
      network = at
      if (permitted === undefined) {
        const accounts = paymentsOf()
        const [selected = ''] = accounts
        const chosen = await ask('connect', { kind: 'connect', accounts, selected })
        remember(Math.max(0, accounts.indexOf(chosen.account ?? selected)))
      }
      return vault.permitted()
    },
    disconnect: () => remember(undefined),
    switchNetwork(next) {
      network = next
      remember(permitted)
    },
    async signMessage(address, message, protocol) {
      const { key, at } = keyOf(address)
      await ask('signMessage', { kind: 'sign', account: address, network: `Bitcoin ${at}`, message })
      if (mode === 'nonsense') return Uint8Array.of(1, 2, 3)
      const text = mode === 'other' ? `${message}?` : message
      return signText(text, key, protocol ?? (key.kind === 'p2tr' ? 'bip322' : 'ecdsa'))
    },
    async signPsbt({ psbt, network: at, inputs, broadcast: wanted }) {
      const keys = inputs.map(({ address, index }) => ({ key: keyOf(address).key, index }))
      const [first] = keys
      await ask('signPsbt', {
        kind: 'transaction',
        account: first?.key.address ?? '',
        network: `Bitcoin ${at}`,
        rows: paymentsIn(
          psbt,
          at,
          vault.permitted(at).map(({ address }) => address)
        ),
        message: `Transaction of ${psbt.length} bytes`
      })
      if (mode === 'nonsense') return { psbt: Uint8Array.of(1, 2, 3) }
      const sends = wanted || mode === 'broadcast'
      try {
        const { psbt: signed, hex } = signPsbt(psbt, keys, { mode, finish: sends || mode === 'final' })
        if (!sends || hex === undefined) return { psbt: signed }
        const txid = await broadcast(hex, options.nodes?.[at])
        broadcasts.push(txid)
        return { psbt: signed, txid }
      } catch (error) {
        throw Object.assign(new Error((error as Error).message), { code: INTERNAL })
      }
    },
    async send(to, satoshis) {
      const [account] = vault.permitted()
      if (account === undefined) throw Object.assign(new Error('Connect first.'), { code: NOT_CONNECTED })
      const rows = [
        ['Amount', `${satoshis} satoshis`],
        ['To', to]
      ] as const
      await ask('sendTransfer', {
        kind: 'transaction',
        account: account.address,
        network: `Bitcoin ${network}`,
        rows,
        message: ''
      })
      try {
        const txid = await transfer(account, to, satoshis, network, options.nodes?.[network])
        broadcasts.push(txid)
        return txid
      } catch (error) {
        throw Object.assign(new Error((error as Error).message), { code: INTERNAL })
      }
    },
    follow: (listener) => void listeners.add(listener)
  }

  const standard = standardFace(vault)
  const satsConnect = satsConnectFace(vault)
  return {
    standard,
    satsConnect,
    register(way = 'standard') {
      if (way === 'standard') {
        const register = (registry: { register(wallet: unknown): void }) => registry.register(standard)
        window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
        window.addEventListener('wallet-standard:app-ready', (event) => register((event as CustomEvent).detail))
        return
      }
      const page = window as unknown as Record<string, unknown>
      const id = `${name.replaceAll(' ', '')}Provider`
      page[id] = satsConnect
      const others = Array.isArray(page.btc_providers) ? page.btc_providers : []
      page.btc_providers = [...others, { id, name, icon, methods: ['getAddresses', 'signMessage', 'signPsbt'] }]
    },
    controls: {
      get addresses() {
        return paymentsOf()
      },
      get pending() {
        return queue.pending
      },
      get connected() {
        return permitted !== undefined
      },
      broadcasts,
      setMode(next) {
        mode = next
      },
      setApproval(next) {
        approval = next
      },
      approve: () => queue.decide({ approved: true }),
      refuse: () => queue.decide({ approved: false }),
      switchAccount(index) {
        if (secrets[index] === undefined) throw new RangeError(`The demo wallet has no account ${index}.`)
        if (permitted === undefined) return
        remember(index)
        changed()
      },
      switchNetwork(next) {
        vault.switchNetwork(next)
        changed()
      },
      revoke() {
        remember(undefined)
        changed()
      }
    }
  }
}
