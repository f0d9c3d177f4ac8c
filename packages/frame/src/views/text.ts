//! Texts of the frame.

import type { ApprovalAction, ApprovalFlag, ApprovalLabel, ApprovalStage } from '../generated/frame.ts'

export const titles: Readonly<Record<ApprovalAction, string>> = {
  signMessage: 'Sign a message',
  signIn: 'Sign in',
  signTypedData: 'Sign data',
  permit: 'Allow spending',
  send: 'Send',
  sendToken: 'Send tokens',
  sendItem: 'Send an NFT',
  approveToken: 'Allow spending',
  approveItems: 'Allow all NFTs',
  revoke: 'End an allowance',
  callContract: 'Call a contract',
  swap: 'Swap',
  deployContract: 'Create a contract'
}

export const labels: Readonly<Record<ApprovalLabel, string>> = {
  allows: 'Permission',
  amount: 'Amount',
  amountOrItem: 'Amount in smallest units, or NFT number',
  application: 'Calls itself',
  comes: 'You receive',
  contract: 'Contract',
  dataSize: 'Data',
  domain: 'Sign in to',
  expires: 'Expires',
  from: 'From',
  item: 'NFT',
  least: 'You receive at least',
  leaves: 'You send',
  nonce: 'Nonce',
  operator: 'Who may take them',
  pays: 'You pay',
  provider: 'Exchange',
  selector: 'Function',
  spender: 'Who may spend',
  statement: 'Statement',
  to: 'To',
  token: 'Token contract',
  uri: 'Page'
}

export const flags: Readonly<Record<ApprovalFlag, string>> = {
  wrongDomain: "This sign-in is for another site. It can't be approved.",
  wrongAccount: "This sign-in is for another account. It can't be approved.",
  malformedSignIn: "This sign-in isn't valid. It can't be approved.",
  wrongUri: 'This sign-in names another page than this site.',
  wrongChain: 'This is for another network than the one in use.',
  notText: "These bytes aren't text. Sign only if you know them.",
  unlimitedApproval: 'The spender may take all of these tokens, at any time.',
  approvesAll: 'The operator may take all NFTs of this collection, at any time.',
  permit: 'This signature lets somebody take tokens, without another request.',
  unknownCall: 'This call is unknown. Approve only if you trust the site.',
  fakeToken: 'This contract pretends to be a known token.',
  alsoPermits: 'Somebody may take tokens or NFTs after this. See the permission below.',
  otherReceiver: 'Another account receives what you buy.',
  noContract: 'There is no contract at this address. What you send may be lost.',
  notSimulated: "Couldn't simulate this call, so its effects aren't known.",
  insufficientFunds: 'The account has too little for amount and fee.',
  likelyToFail: 'The network expects this transaction to fail.',
  highFee: 'The site asks for a far higher fee than the network does.'
}

export const stages: Readonly<Record<ApprovalStage, string>> = {
  preparing: 'Reading the network…',
  ready: '',
  signing: 'Signing…',
  sending: 'Sending…'
}
