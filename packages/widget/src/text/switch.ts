/** English texts of the view that waits for a network switch; loaded with that view. */
export const switchWords = {
  approveSwitch: 'Approve in {0}',
  switchHint: 'Accept the switch to {0} in the wallet.',
  approveAdd: 'Add {0}',
  addHint: '{0} does not know this network yet and asks to add it.',
  switchDeclined: 'Switch declined',
  switchDeclinedHint: 'You stay on the network you were on.',
  switchFailed: 'Could not switch',
  switchFailedHint: '{0} could not switch to {1}.'
} as const
