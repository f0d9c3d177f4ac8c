/** English texts of the network list besides [`en`]; loaded with that list. */
export const networkWords = {
  testnet: 'Testnet',
  searchNetworks: 'Search networks',
  noNetwork: 'No networks found. Try another name.',
  notApproved: 'Not allowed in your wallet',
  notApprovedHint: "{0} didn't allow every network. Allow the others there or connect again."
} as const
