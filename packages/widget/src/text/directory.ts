/** English texts of the wallet directory and the install view besides [`en`]; loaded with those views. */
export const directoryWords = {
  searchWallets: 'Search wallets',
  loadingWallets: 'Looking for wallets',
  noSuchWallet: 'Nothing found; try another spelling',
  walletsFound: 'Wallets: {0}',
  noWallets: 'The list did not come',
  noWalletsHint: 'The server could not be reached. The wallets in this browser work all the same.',
  scanInstead: 'Scan a QR code instead',
  notInBrowser: '{0} is not in this browser',
  getHint: 'Install it, then come back to this page and connect.',
  getHintMobile: 'Open this page in the browser of the app, or install it first.',
  webApp: 'Open in a tab',
  chromeStore: 'Chrome Web Store',
  appStore: 'App Store',
  playStore: 'Google Play',
  homepage: 'Website'
} as const
