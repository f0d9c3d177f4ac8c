/** English texts of the introductions to wallets and networks; loaded with those views. */
export const lessonWords = {
  walletHome: 'A home for what you own',
  walletHomeHint: 'A wallet keeps the keys to your coins and collectibles. Only you can use them.',
  walletLogin: 'A new way to log in',
  walletLoginHint: 'Connect it instead of making an account and a password for every site.',
  walletChoice: 'You stay in charge',
  walletChoiceHint: 'A site sees your address. It can move nothing unless you approve it in the wallet.',
  networkWhat: 'Where transactions live',
  networkWhatHint: 'A network is a shared record, kept by many computers, of who owns what.',
  networkMany: 'Each has its own coins',
  networkManyHint: 'The same address can hold different amounts on different networks.',
  networkFee: 'Fees pay for the work',
  networkFeeHint: 'Sending costs a small fee, paid in the network’s own coin.'
} as const
