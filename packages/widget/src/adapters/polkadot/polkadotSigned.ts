//! Verifies the signature of bytes in an extension's answer. Loaded with the curves' libraries while the extension asks the visitor.

export { isOfAccount } from '../siwx/polkadot.ts'
