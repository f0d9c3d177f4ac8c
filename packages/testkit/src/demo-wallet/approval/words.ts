import { type Address, formatUnits, getAddress, type Hex, isAddress, maxUint256 } from 'viem'
import { type Call, callIn, type Side, type Swap, swapIn } from '../../calls.ts'
import type { Approval, Tokens } from './approval.ts'

/** Texts of the popup for one approval. */
export interface Words {
  readonly title: string
  readonly lead: string
  readonly rows: readonly (readonly [label: string, value: string])[]
  /** Shown verbatim, with its line breaks. */
  readonly body?: string | undefined
  readonly warning?: string | undefined
}

/** Address of an EVM chain with its checksum, or of another chain as it is. */
export function inFull(address: string): string {
  return isAddress(address, { strict: false }) ? getAddress(address) : address
}

/** Words of arguments whose names aren't those of a wallet. */
const LABELS: Readonly<Record<string, string>> = { recipient: 'To', to: 'To', uri: 'URI', id: 'ID' }

/** Name of an argument as a label: `amountOutMin` is "Amount out min". */
function label(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return LABELS[name] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

/** Coins or tokens with their digits grouped. */
function written(units: bigint, decimals: number, symbol: string): string {
  const [whole = '', rest] = formatUnits(units, decimals).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${rest === undefined ? grouped : `${grouped}.${rest}`} ${symbol}`
}

const ether = (wei: bigint): string => written(wei, 18, 'ETH')

/** Fee in four digits, rounded up as in the widget (`shortFee`). */
function estimated(wei: bigint): string {
  const digits = new Intl.NumberFormat('en', { maximumSignificantDigits: 4, roundingMode: 'ceil' })
  return `~${digits.format(formatUnits(wei, 18) as `${number}`)} ETH`
}

/**
 * Limit of a swap in the digits that the widget shows: six significant ones, but no fewer than two decimals. It is rounded so that it never looks
 * better than it is.
 */
function limit(units: bigint, decimals: number, symbol: string, how: 'up' | 'down'): string {
  const digits = units.toString().length
  const kept = digits > decimals ? Math.max(2, 6 - (digits - decimals)) : decimals - digits + 6
  const step = 10n ** BigInt(Math.max(0, decimals - kept))
  return written(((how === 'up' ? units + step - 1n : units) / step) * step, decimals, symbol)
}

/** Amount of a token's call in whole tokens, or the argument as it is. */
function inTokens(name: string, value: string, token: Tokens[Address] | undefined): string {
  if (token === undefined || name !== 'amount' || !/^\d+$/.test(value)) return value
  return BigInt(value) === maxUint256
    ? `Unlimited ${token.symbol}`
    : written(BigInt(value), token.decimals, token.symbol)
}

/** What a swap pays and receives; `paid` is the coin of the transaction. */
function ofSwap({ pays, gets, exactOut }: Swap, paid: bigint, tokens: Tokens): Words['rows'] {
  const side = ({ token, amount = paid }: Side, how?: 'up' | 'down') => {
    const known = token === undefined ? { decimals: 18, symbol: 'ETH' } : tokens[token]
    if (!known) return `${amount} units of ${getAddress(token ?? '')}`
    return how ? limit(amount, known.decimals, known.symbol, how) : written(amount, known.decimals, known.symbol)
  }
  const given = inCoin(pays, paid, tokens) ? { amount: pays.amount } : pays
  // Coin that the swap doesn't pay leaves the account nevertheless.
  const besides = given.token && paid > 0n ? [['Amount', ether(paid)] as const] : []
  return exactOut
    ? [...besides, ['Pay at most', side(given, 'up')], ['Receive', side(gets)]]
    : [...besides, ['Pay', side(given)], ['Receive at least', side(gets, 'down')]]
}

/** Whether the coin of the transaction is paid in place of its wrapped token, as routers of V3 allow. */
function inCoin({ token, amount }: Side, paid: bigint, tokens: Tokens): boolean {
  return token !== undefined && amount !== undefined && paid >= amount && paid > 0n && tokens[token]?.symbol === 'WETH'
}

/** What a call does: a swap by its two sides, any other by its arguments. */
function ofCall(call: Call, { to, value, tokens = {} }: Approval & { kind: 'send' }): Words['rows'] {
  const swap = swapIn(call)
  const coin = value === 0n || swap ? [] : [['Amount', ether(value)] as const]
  if (swap) return ofSwap(swap, value, tokens)
  const args = call.args.map(({ name, value }) => [label(name), inTokens(name, value, to && tokens[to])] as const)
  return [...coin, ['Function', call.name], ...args]
}

/** Title and question for a transaction. */
function deed({ to, data }: Approval & { kind: 'send' }, call: Call | undefined): Pick<Words, 'title' | 'lead'> {
  if (call && swapIn(call)) return { title: 'Swap', lead: 'Swap these tokens?' }
  if (to === undefined) return { title: 'Create contract', lead: 'Create this contract?' }
  if (call?.name === 'approve') return { title: 'Allow spending', lead: 'Let this address spend your tokens?' }
  if (call?.name === 'transfer') return { title: 'Send tokens', lead: 'Send these tokens?' }
  const calls = data !== undefined && data !== '0x'
  return calls
    ? { title: 'Contract call', lead: 'Call this contract?' }
    : { title: 'Send', lead: 'Send this transaction?' }
}

export function inWords(approval: Approval): Words {
  switch (approval.kind) {
    case 'unlock':
      return { title: 'Unlock wallet', lead: 'Unlock your wallet to continue.', rows: [] }
    case 'connect':
      return {
        title: 'Connect to this site?',
        lead: 'This site can see the address and balance of the account you choose, and ask for approvals.',
        rows: []
      }
    case 'sign':
      return {
        title: 'Signature request',
        lead: 'Sign this message? Signing is free.',
        rows: [
          ['Account', inFull(approval.account)],
          ['Network', approval.network]
        ],
        body: approval.message
      }
    case 'transaction':
      return {
        title: approval.rows.length > 0 ? 'Send' : 'Transaction',
        lead: 'Sign this transaction? It can move your funds.',
        rows: [['From', approval.account], ...approval.rows, ['Network', approval.network]],
        body: approval.rows.length > 0 ? undefined : approval.message
      }
    case 'signTypedData':
      return {
        title: 'Signature request',
        lead: 'Sign this data? Signing is free.',
        rows: [
          ['Account', getAddress(approval.account)],
          ['Network', approval.network],
          ['Contract', approval.domain],
          ['Type', approval.primaryType]
        ],
        body: approval.message
      }
    case 'send': {
      const call = callIn(approval.data as Hex | undefined)
      return {
        ...deed(approval, call),
        rows: [
          ['From', getAddress(approval.account)],
          [call ? 'Contract' : 'To', approval.to === undefined ? 'New contract' : getAddress(approval.to)],
          ...(call ? ofCall(call, approval) : [['Amount', ether(approval.value)] as const]),
          ['Network', approval.network],
          ['Network fee', approval.fee === undefined ? 'Unknown' : estimated(approval.fee)]
        ],
        body: call || approval.data === undefined || approval.data === '0x' ? undefined : approval.data,
        warning: approval.warning === undefined ? undefined : `This transaction will likely fail: ${approval.warning}`
      }
    }
    case 'switchChain':
      return {
        title: 'Switch network',
        lead: 'This site wants to switch your network.',
        rows: [
          ['From', approval.from],
          ['To', approval.to]
        ]
      }
    case 'addChain':
      return {
        title: 'Add network',
        lead: 'Add this network to your wallet and switch to it?',
        rows: [
          ['Network', approval.network],
          ['Chain ID', String(approval.chainId)],
          ['RPC URL', approval.rpcUrl]
        ]
      }
  }
}
