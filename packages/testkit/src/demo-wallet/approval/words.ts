import { formatEther } from 'viem'
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

export function inWords(approval: Approval): Words {
  switch (approval.kind) {
    case 'unlock':
      return { title: 'Unlock wallet', lead: 'The wallet is locked. Unlock it to go on?', rows: [] }
    case 'connect':
      return {
        title: 'Connect to this site',
        lead: 'The site will see the address and balance of the account you choose, and may ask for approvals.',
        rows: []
      }
    case 'sign':
      return {
        title: 'Signature request',
        lead: 'Sign this message? A signature costs nothing.',
        rows: [
          ['Account', approval.account],
          ['Network', approval.network]
        ],
        body: approval.message
      }
    case 'signTypedData':
      return {
        title: 'Signature request',
        lead: 'Sign this structured data? A signature costs nothing.',
        rows: [
          ['Account', approval.account],
          ['Network', approval.network],
          ['Contract', approval.domain],
          ['Type', approval.primaryType]
        ],
        body: approval.message
      }
    case 'send':
      return {
        title: approval.to === undefined ? 'Create a contract' : 'Send',
        lead: 'Send this transaction?',
        rows: [
          ['From', approval.account],
          ['To', approval.to ?? 'a new contract'],
          ['Amount', `${formatEther(approval.value)} ETH`],
          ['Network', approval.network],
          ['Network fee, at most', approval.fee === undefined ? 'unknown' : `${formatEther(approval.fee)} ETH`]
        ],
        body: approval.data === undefined || approval.data === '0x' ? undefined : approval.data,
        warning: approval.warning === undefined ? undefined : `This transaction is likely to fail: ${approval.warning}`
      }
    case 'switchChain':
      return {
        title: 'Switch network',
        lead: 'The site wants the wallet to use another network.',
        rows: [
          ['From', approval.from],
          ['To', approval.to]
        ]
      }
    case 'addChain':
      return {
        title: 'Add a network',
        lead: 'Add this network to the wallet and switch to it?',
        rows: [
          ['Network', approval.network],
          ['Chain id', String(approval.chainId)],
          ['Node', approval.rpcUrl]
        ]
      }
  }
}
