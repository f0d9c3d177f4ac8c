//! Parts of the first files for `@portico/widget/wallet-button`, which must share them with the page's modal. `makeAppKit` is among them
//! so that this file needs all that the first files share, which keeps those in one piece.

export { currentAppKit, subscribeKit } from './current.ts'
export { elementOf } from './elements/define.ts'
export { makeAppKit } from './make.ts'
export { PorticoError } from './PorticoError.ts'
