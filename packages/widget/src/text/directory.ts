/** English texts of the wallet directory and the install view besides [`en`]; loaded with those views. */
export const directoryWords = {
  searchWallets: 'Search wallets',
  loadingWallets: 'Loading wallets',
  noSuchWallet: 'No wallets found. Try another name.',
  walletsFound: 'Wallets: {0}',
  noWallets: "Couldn't load wallets",
  noWalletsHint: 'Check your connection. Wallets in this browser still work.',
  scanInstead: 'Scan a QR code instead',
  notInBrowser: "{0} isn't installed in this browser",
  getHint: 'Install it, then come back and connect.',
  getHintMobile: "Open this page in the app's browser, or install the app first.",
  webApp: 'Open web app',
  chromeStore: 'Chrome Web Store',
  appStore: 'App Store',
  playStore: 'Google Play',
  homepage: 'Website'
} as const
