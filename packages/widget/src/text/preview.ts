import { swapWords } from './swap.ts'

/** English texts of the swap preview besides those of the form; loaded with the preview. */
export const previewWords = {
  ...swapWords,
  swapReviewHint: 'Prices move. You receive the minimum or more, or nothing is swapped.',
  swapTestHint: 'Prices move. The swap is tested before your wallet asks you.',
  swapUntestedHint: "Prices move. This swap couldn't be tested: you confirm once more before your wallet asks you.",
  swapApproveHint: 'First you allow exactly this amount to be taken, then you swap it.',
  swapTogetherHint: '{0} allows exactly this amount and swaps it in one step.',
  swapApart: '{0} does not do both in one step here. Allow it first, then swap.',
  swapApprove: 'Approve and swap',
  swapRevoking: '{0} asks you to take an older permission back first: this token wants it so',
  swapApproving: 'Allow it in {0}',
  swapApprovalPending: 'Waiting until it is allowed',
  swapBuilding: 'Preparing the swap',
  swapOutdated: 'The price changed: you would now receive at least {0}.',
  swapAccept: 'Accept new price',
  swapDeclined: 'You declined. Nothing was swapped.',
  swapFailed: 'The swap was not done.',
  swapTooLittle: 'You allowed less than you pay. Allow the whole amount.',
  swapApprovalReverted: 'The network refused the approval.',
  swapApprovalLate: 'The approval takes long. Try again once it is through.',
  swapNotBuilt: 'The swap could not be prepared.',
  swapFails: 'The network would refuse this swap now. Nothing was signed.',
  swapTakesMore: 'In a simulation this swap takes, allows or pays something else than was shown. Nothing was signed.',
  swapUnproven: 'No node could simulate this swap. Its bytes pay you at least {0}; what the tokens do was not tested.',
  swapCostly: "You'd lose {0}% of the value of what you pay. Swap anyway?",
  swapSimulation: 'Simulation',
  swapSimulationHint: 'What would leave and arrive now',
  swapNotSimulated: 'no node offers one',
  swapAnyway: 'Swap anyway',
  swapMismatch: 'The server prepared something else than was shown. Nothing was signed.'
} as const
