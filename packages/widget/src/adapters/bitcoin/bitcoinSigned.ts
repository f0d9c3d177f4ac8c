//! Verifies the signature of a text in a wallet's answer. Loaded with the curve's library while the wallet asks the visitor.

export { isSignedBy } from '../siwx/bitcoin.ts'
