/** English texts of the introductions to wallets and networks; loaded with those views. */
export const lessonWords = {
  walletHome: 'A home for what you own',
  walletHomeHint: 'A wallet keeps the keys to your coins and collectibles. Only you can use them.',
  walletLogin: 'A new way to log in',
  walletLoginHint: 'Connect your wallet instead of creating an account and password for every site.',
  walletChoice: "You're in control",
  walletChoiceHint: "A site sees your address. It can't move anything unless you approve it in your wallet.",
  walletFind: 'Get a wallet',
  networkWhat: 'Where transactions live',
  networkWhatHint: 'A network is a shared record, kept by many computers, of who owns what.',
  networkMany: 'Each has its own coins',
  networkManyHint: 'The same address can hold different amounts on different networks.',
  networkFee: 'Fees keep it running',
  networkFeeHint: "Sending costs a small fee, paid in the network's own coin."
} as const
