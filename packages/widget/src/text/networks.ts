/** What the list of networks says in English beside [`en`]: it comes with it, for nobody reads it before. */
export const networkWords = {
  testnet: 'Testnet',
  searchNetworks: 'Search networks',
  noNetwork: 'No network is called that',
  notApproved: 'Not allowed in the wallet',
  notApprovedHint: '{0} did not allow every network. Allow it there, or connect again.'
} as const
