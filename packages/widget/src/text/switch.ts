/** English texts of the view that waits for a network switch; loaded with that view. */
export const switchWords = {
  switchHint: 'Approve the switch to {0} in your wallet.',
  approveAdd: 'Add {0}',
  addHint: "{0} doesn't have this network yet. Approve adding it there.",
  switchDeclined: 'Switch declined',
  switchDeclinedHint: "You're still on {0}.",
  switchFailed: "Couldn't switch",
  switchFailedHint: "{0} couldn't switch to {1}."
} as const
