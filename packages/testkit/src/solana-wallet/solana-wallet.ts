//! Demo wallet of Solana in the page: a wallet of the Wallet Standard over test keys that prompts, refuses and remembers like a browser
//! wallet.

import { ed25519 } from '@noble/curves/ed25519'
import { base58, base64 } from '@scure/base'
import { createSignInMessageText } from '@solana/wallet-standard-util'
import type { Approval, ApprovalChoice, Question } from '../demo-wallet/approval/approval.ts'
import { approvalDialog } from '../demo-wallet/approval/dialog.ts'
import { ApprovalQueue } from '../demo-wallet/approval/queue.ts'
import { type IconMark, walletIcon } from '../demo-wallet/icon.ts'
import type { KeyValueStorage } from '../demo-wallet/storage.ts'
import { withAssertions } from './assertions.ts'
import { SOLANA_TEST_KEYS } from './keys.ts'
import { transferIn } from './transfer.ts'

export interface SolanaWalletOptions {
  readonly name?: string | undefined
  readonly color?: string | undefined
  readonly mark?: IconMark | undefined
  /** Secret keys of 32 bytes; three public test keys when absent. */
  readonly keys?: readonly Uint8Array[] | undefined
  /** URL of a node by the standard's name of its chain, for transactions that the wallet sends. */
  readonly nodes?: Readonly<Record<string, string>> | undefined
  readonly approval?: ApprovalChoice | undefined
  /**
   * `refuse` refuses whatever is asked, `silent` never answers, `other` signs another message than the one that it was asked for, and `assert` adds
   * assertions to a transaction before it signs it, as Phantom does on the main network.
   */
  readonly mode?: SolanaWalletMode | undefined
  /** Whether the visitor shares all accounts at once, and not the chosen one alone. */
  readonly sharesAll?: boolean | undefined
  /** Storage of the permission; the page's `localStorage` when absent. */
  readonly storage?: KeyValueStorage | undefined
}

export type SolanaWalletMode = 'normal' | 'refuse' | 'silent' | 'other' | 'assert'

interface Account {
  readonly address: string
  readonly publicKey: Uint8Array
  readonly chains: readonly string[]
  readonly features: readonly string[]
}

type SolanaSignInInput = Partial<Parameters<typeof createSignInMessageText>[0]>

interface Input {
  readonly account: Account
  readonly chain: string
  readonly message: Uint8Array
  readonly transaction: Uint8Array
}

export interface SolanaWallet {
  /** The wallet as it registers itself. */
  readonly standard: {
    readonly version: '1.0.0'
    readonly name: string
    readonly icon: string
    readonly chains: readonly string[]
    readonly features: Readonly<Record<string, Readonly<Record<string, unknown>>>>
    readonly accounts: readonly Account[]
  }
  /** Registers the wallet in the page, now and for pages that become ready later. */
  register(): void
  /** The visitor's actions in the wallet. */
  readonly controls: {
    readonly pending: readonly Approval[]
    /** Addresses of all accounts of the wallet. */
    readonly addresses: readonly string[]
    setMode(mode: SolanaWalletMode): void
    setApproval(approval: ApprovalChoice): void
    approve(): boolean
    refuse(): boolean
    /** Selects another account; a page without permission hears nothing. */
    switchAccount(index: number): void
    /** Takes the permission away. */
    revoke(): void
  }
}

const CHAINS = ['solana:mainnet', 'solana:devnet', 'solana:testnet', 'solana:localnet']
const SIGNING = ['solana:signMessage', 'solana:signTransaction', 'solana:signAndSendTransaction']
const VERSIONS = ['legacy', 0]

export function createSolanaWallet(options: SolanaWalletOptions = {}): SolanaWallet {
  const { name = 'Demo Solana Wallet', color = '#14532d', mark = 'wave', nodes = {} } = options
  const icon = walletIcon({ color, mark })
  const memory = `demo-wallet/${name}`
  const storage = options.storage ?? localStorage
  const secrets = options.keys ?? SOLANA_TEST_KEYS
  const all = secrets.map((secret): Account => {
    const publicKey = ed25519.getPublicKey(secret)
    return { address: base58.encode(publicKey), publicKey, chains: CHAINS, features: SIGNING }
  })
  const listeners = new Set<(change: { accounts: readonly Account[] }) => void>()
  let mode = options.mode ?? 'normal'
  let approval = options.approval ?? 'dialog'
  /** The account that the page may see. */
  const stored = storage.getItem(memory)
  let permitted = all.filter(({ address }) => stored && (options.sharesAll || address === stored))
  const dialog = approvalDialog({ name, icon, color })
  const queue = new ApprovalQueue(() => (approval === 'dialog' ? dialog : approval === 'auto' ? () => true : approval))

  function permit(accounts: readonly Account[]): void {
    permitted = [...accounts]
    storage.setItem(memory, permitted[0]?.address ?? '')
  }

  function changed(accounts: readonly Account[]): void {
    permit(accounts)
    for (const listener of listeners) listener({ accounts: permitted })
  }

  async function ask(method: string, question: Question) {
    if (mode === 'silent') await new Promise(() => {})
    const decision = mode === 'refuse' ? undefined : await queue.ask({ origin: location.origin, method, ...question })
    if (decision?.approved) return decision
    throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
  }

  function secretOf({ address }: Account): Uint8Array {
    const secret = secrets[all.findIndex((one) => one.address === address)]
    if (secret === undefined || !permitted.some((one) => one.address === address))
      throw Object.assign(new Error('The account has not been authorized by the user.'), { code: 4100 })
    return secret
  }

  /** One approval for the account and its signature. */
  async function signIn(input: SolanaSignInInput) {
    const account = permitted[0] ?? all[0]
    if (account === undefined) throw new Error('The wallet has no account.')
    const text = createSignInMessageText({ domain: location.host, ...input, address: account.address })
    await ask('solana:signIn', { kind: 'sign', account: account.address, network: 'Solana', message: text })
    permit([account])
    const signedMessage = new TextEncoder().encode(mode === 'other' ? text.replace(/Nonce: .*/, 'Nonce: 0') : text)
    return { account, signedMessage, signature: ed25519.sign(signedMessage, secretOf(account)) }
  }

  async function signTransaction(method: string, { account, transaction }: Input): Promise<Uint8Array> {
    const secret = secretOf(account)
    const message = base64.encode(transaction)
    const [address, rows] = [account.address, transferIn(transaction)]
    await ask(method, { kind: 'transaction', account: address, network: 'Solana', rows, message })
    return signed(mode === 'assert' ? withAssertions(transaction) : transaction, account, secret)
  }

  async function send(chain: string, transaction: Uint8Array): Promise<void> {
    const node = nodes[chain]
    if (node === undefined) throw new Error(`The wallet knows no node of ${chain}.`)
    const params = [base64.encode(transaction), { encoding: 'base64' }]
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params })
    const response = await fetch(node, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { error } = (await response.json()) as { error?: { message: string } }
    if (error) throw new Error(error.message)
  }

  const standard: SolanaWallet['standard'] = {
    version: '1.0.0',
    name,
    icon,
    chains: CHAINS,
    get accounts() {
      return permitted
    },
    features: {
      'standard:connect': {
        version: '1.0.0',
        async connect({ silent = false }: { silent?: boolean } = {}) {
          const [selected = all[0]] = permitted
          if (permitted.length === 0 && !silent && selected) {
            const accounts = all.map(({ address }) => address)
            const chosen = await ask('standard:connect', { kind: 'connect', accounts, selected: selected.address })
            const isShared = (one: Account) => one.address === (chosen.account ?? selected.address)
            permit(options.sharesAll ? all : all.filter(isShared))
          }
          return { accounts: permitted }
        }
      },
      'standard:disconnect': { version: '1.0.0', disconnect: async () => permit([]) },
      'standard:events': {
        version: '1.0.0',
        on(_event: 'change', listener: (change: { accounts: readonly Account[] }) => void) {
          listeners.add(listener)
          return () => listeners.delete(listener)
        }
      },
      'solana:signIn': {
        version: '1.0.0',
        async signIn(...inputs: readonly SolanaSignInInput[]) {
          return Promise.all(inputs.map(signIn))
        }
      },
      'solana:signMessage': {
        version: '1.1.0',
        async signMessage(...inputs: readonly Input[]) {
          return Promise.all(
            inputs.map(async ({ account, message: asked }) => {
              const secret = secretOf(account)
              const text = new TextDecoder().decode(asked)
              await ask('solana:signMessage', {
                kind: 'sign',
                account: account.address,
                network: 'Solana',
                message: text
              })
              const signedMessage = mode === 'other' ? Uint8Array.of(1, ...asked) : asked
              return { signedMessage, signature: ed25519.sign(signedMessage, secret) }
            })
          )
        }
      },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: VERSIONS,
        async signTransaction(...inputs: readonly Input[]) {
          const all = inputs.map((input) => signTransaction('solana:signTransaction', input))
          return (await Promise.all(all)).map((signedTransaction) => ({ signedTransaction }))
        }
      },
      'solana:signAndSendTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: VERSIONS,
        async signAndSendTransaction(...inputs: readonly Input[]) {
          return Promise.all(
            inputs.map(async (input) => {
              const bytes = await signTransaction('solana:signAndSendTransaction', input)
              await send(input.chain, bytes)
              return { signature: bytes.slice(1, 65) }
            })
          )
        }
      }
    }
  }

  return {
    standard,
    register() {
      const register = (registry: { register(wallet: unknown): void }) => registry.register(standard)
      window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
      window.addEventListener('wallet-standard:app-ready', (event) => register((event as CustomEvent).detail))
    },
    controls: {
      addresses: all.map(({ address }) => address),
      get pending() {
        return queue.pending
      },
      setMode(next) {
        mode = next
      },
      setApproval(next) {
        approval = next
      },
      approve: () => queue.decide({ approved: true }),
      refuse: () => queue.decide({ approved: false }),
      switchAccount(index) {
        const wanted = all[index]
        if (wanted === undefined) throw new RangeError(`The demo wallet has no account ${index}.`)
        if (permitted.length > 0) changed([wanted])
      },
      revoke: () => changed([])
    }
  }
}

/** The transaction with the account's signature in its place. Numbers of signatures and of accounts are below 128 here, one byte each. */
function signed(transaction: Uint8Array, { publicKey }: Account, secret: Uint8Array): Uint8Array {
  const [count = 0] = transaction
  const message = transaction.subarray(1 + 64 * count)
  // A versioned message has its version, with the highest bit set, before the three numbers of its header.
  const header = ((message[0] ?? 0) & 0x80) === 0 ? 0 : 1
  const keys = header + 4
  const place = Array.from({ length: count }, (_, index) => keys + 32 * index).findIndex((from) =>
    publicKey.every((byte, index) => message[from + index] === byte)
  )
  if (place < 0) throw new Error('The transaction needs no signature of this account.')
  const result = Uint8Array.from(transaction)
  result.set(ed25519.sign(message, secret), 1 + 64 * place)
  return result
}
