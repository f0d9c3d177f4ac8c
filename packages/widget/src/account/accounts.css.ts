/** Styles of the list of accounts that a wallet shares. */
export const accountsCss = `
.accounts li{display:flex;align-items:center;gap:4px;content-visibility:auto;contain-intrinsic-size:auto 64px}
.accounts .row{flex:1;min-width:0}
.accounts .avatar{width:40px;height:40px}
`
