/** English texts of the other namespaces' accounts besides [`en`]; loaded where a host has several namespaces. */
export const othersWords = {
  otherAccounts: 'Other accounts',
  accountOn: '{0} on {1}',
  switchToAccount: 'Switch to {0} on {1}',
  connectTo: 'Connect {0}'
} as const
