/** English texts of receipts, of a payment and of a swap; loaded with their views. */
export const receiptWords = {
  receiptHash: 'Transaction',
  receiptCopy: 'Copy transaction hash',
  receiptTime: 'Time',
  receiptFee: 'Fee paid',
  sentPending: 'On its way',
  sentPendingHint: 'The network has it. You can close this.',
  sentSlow: 'This is taking a while. You may be able to speed it up in your wallet with a higher fee.',
  sentConfirmed: 'Sent',
  sentFailed: 'Transaction failed',
  sentFailedHint: 'Nothing was sent. The network keeps its fee.',
  sentReplaced: 'Replaced by another transaction',
  sentReplacedHint: 'See what it did on the explorer.',
  sentReplacedUnknown: 'It may have paid the same. Check your account before you try again.',
  sentAgain: 'Your wallet resent it with a higher fee.',
  sentOther: 'View replacement on explorer',
  sentAccount: 'View account on explorer',
  sentLost: 'Still waiting',
  sentLostHint: 'It may still go through. Check the explorer before you send again.',
  swapConfirmed: 'Swapped',
  swapFailedHint: 'Nothing was swapped. The network keeps its fee.',
  swapLostHint: 'It may still go through. Check your activity before you swap again.'
} as const
