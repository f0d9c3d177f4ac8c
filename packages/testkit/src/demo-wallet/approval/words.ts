import { formatEther, formatUnits, getAddress, type Hex, isAddress, maxUint256 } from 'viem'
import { type Call, callIn } from '../../calls.ts'
import type { Approval } from './approval.ts'

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

/** Amount of a token's call in whole tokens, or the argument as it is. */
function inTokens(name: string, value: string, token: (Approval & { kind: 'send' })['token']): string {
  if (token === undefined || name !== 'amount' || !/^\d+$/.test(value)) return value
  return BigInt(value) === maxUint256
    ? `Unlimited ${token.symbol}`
    : `${formatUnits(BigInt(value), token.decimals)} ${token.symbol}`
}

/** Title and question for a transaction. */
function deed({ to, data }: Approval & { kind: 'send' }, call: Call | undefined): Pick<Words, 'title' | 'lead'> {
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
          ...(call && approval.value === 0n ? [] : [['Amount', `${formatEther(approval.value)} ETH`] as const]),
          ...(call ? [['Function', call.name] as const] : []),
          ...(call?.args ?? []).map(({ name, value }) => [name, inTokens(name, value, approval.token)] as const),
          ['Network', approval.network],
          ['Network fee (max)', approval.fee === undefined ? 'Unknown' : `${formatEther(approval.fee)} ETH`]
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
