/** Styles of the amount or value at the end of a row. */
export const tokenCss = `
.sum{flex:0 1 auto;min-width:0;max-width:55%;overflow-wrap:anywhere;margin-inline-end:8px;text-align:end;font-weight:500;font-variant-numeric:tabular-nums}
.sum .clip{max-width:100%}
.name:has(.has){grid-template-columns:minmax(0,1fr)}
.has{display:flex;flex-wrap:wrap;column-gap:10px}
.has bdi{white-space:normal}
`
