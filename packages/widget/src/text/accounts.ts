/** English texts of the list of accounts besides [`en`]; loaded with that list. */
export const accountsWords = {
  searchAccounts: 'Search accounts',
  noAccount: 'No accounts found. Try another name or address.',
  moreAccounts: 'Showing {0} of {1}. Search to find the others.',
  copyAddressOf: 'Copy address of {0}'
} as const
