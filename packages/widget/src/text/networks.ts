/** English texts of the network list besides [`en`]; loaded with that list. */
export const networkWords = {
  testnet: 'Testnet',
  searchNetworks: 'Search networks',
  noNetwork: 'No network is called that',
  notApproved: 'Not allowed in the wallet',
  notApprovedHint: '{0} did not allow every network. Allow it there, or connect again.'
} as const
