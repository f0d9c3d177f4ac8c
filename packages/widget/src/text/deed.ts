/** English texts for transactions of the history; loaded with their list. */
export const deedWords = {
  didApprove: 'Approved',
  didBorrow: 'Borrowed',
  didBurn: 'Burned',
  didCancel: 'Canceled',
  didClaim: 'Claimed',
  didDeploy: 'Contract created',
  didDeposit: 'Deposited',
  didExecute: 'Contract call',
  didMint: 'Minted',
  didReceive: 'Received',
  didRepay: 'Repaid',
  didRun: 'Program call',
  didSend: 'Sent',
  didStake: 'Staked',
  didTrade: 'Swapped',
  didUnstake: 'Unstaked',
  didWithdraw: 'Withdrawn',
  partyMint: 'Mint',
  partyBurn: 'Burn address',
  partyNew: 'New contract'
} as const
