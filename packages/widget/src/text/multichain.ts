/** English texts of the choice of a wallet's namespace besides [`en`]; loaded with its view. */
export const multiChainWords = {
  multiChainLead: '{0} works on several networks. Choose one to connect.'
} as const
