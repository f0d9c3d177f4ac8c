import { swapWords } from './swap.ts'

/** English texts of the swap preview besides those of the form; loaded with the preview. */
export const previewWords = {
  ...swapWords,
  swapReviewHint: 'Prices change. You receive at least the minimum, or nothing is swapped.',
  swapPayMost: 'You pay at most',
  swapReviewMostHint: 'Prices change. You pay at most the maximum, or nothing is swapped.',
  swapApproveMostHint: 'Step 1: approve the most you may pay. Step 2: swap.',
  swapTogetherMostHint: '{0} approves the most you may pay and swaps in one step.',
  swapOutdatedMost: "The price changed. You'd now pay at most {0}.",
  swapUnvaluedMost: 'There is no price for this swap. You pay at most {0} and get {1}. Swap anyway?',
  swapUnprovenMost:
    "No node could simulate this swap. Its data takes at most {0}, but what the tokens do wasn't tested.",
  swapTestHint: 'Prices change. The swap is tested before your wallet asks you.',
  swapUntestedHint:
    "Prices change, and this swap couldn't be tested. You'll confirm once more before your wallet asks you.",
  swapApproveHint: 'Step 1: approve this exact amount. Step 2: swap.',
  swapTogetherHint: '{0} approves this exact amount and swaps it in one step.',
  swapApart: "{0} can't do both in one step here. Approve first, then swap.",
  swapStep: 'Step {0} of 2:',
  swapApprove: 'Approve and swap',
  swapRevoking: 'Revoke the old approval in {0} first. This token requires it.',
  swapApproving: 'Approve in {0}',
  swapApprovalPending: 'Waiting for the approval to confirm',
  swapBuilding: 'Preparing your swap',
  swapOutdated: "The price changed. You'd now receive at least {0}.",
  swapAccept: 'Accept new price',
  swapDeclined: 'You declined. Nothing was swapped.',
  swapCostly: "You'd lose {0} of the value of what you pay. Swap anyway?",
  swapUnvalued: 'There is no price for this swap. You pay {0} and get at least {1}. Swap anyway?',
  swapFailed: "The swap didn't go through.",
  swapTooLittle: 'You approved less than you pay. Approve the full amount.',
  swapApprovalReverted: 'The network rejected the approval.',
  swapApprovalLate: "The approval is taking a while. Try again once it's confirmed.",
  swapNotBuilt: "Couldn't prepare the swap.",
  swapFails: 'The network would reject this swap now. Nothing was signed.',
  swapTakesMore: "A test run of this swap didn't do what is shown here. Nothing was signed.",
  swapUnproven:
    "No node could simulate this swap. Its data pays you at least {0}, but what the tokens do wasn't tested.",
  swapSimulation: 'Expected',
  swapSimulationHint: 'In a test run',
  swapNotSimulated: "Couldn't be tested",
  swapAnyway: 'Swap anyway',
  swapSure: 'Yes, swap',
  swapMismatch: 'The server prepared something other than shown. Nothing was signed.'
} as const
