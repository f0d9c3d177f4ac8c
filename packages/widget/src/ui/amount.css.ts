/** Styles of amounts: type shrinks where an amount is long, and nothing is cut. */
export const amountCss = `
.sized{white-space:normal;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
.tight{font-size:.86em}
.tighter{font-size:.72em}
`
