/** Styles of the amount or value at the end of a row, and of the row of hidden tokens. */
export const tokenCss = `
.sum{flex:0 1 auto;min-width:0;max-width:55%;overflow-wrap:anywhere;margin-inline-end:8px;text-align:end;font-weight:500;font-variant-numeric:tabular-nums}
.sum .clip{max-width:100%}
@media(max-width:350px){.row>.sum{font-size:calc(var(--u)*1.3)}.has bdi{font-size:clamp(calc(var(--u)*1.05),3.5vw,1em)}}
.sum+.mark{margin-inline-start:-10px}
@media(max-width:350px){.sum:has(+.mark){margin:0;font-size:calc(var(--u)*1.2)}.sum+.mark{margin-inline:-6px 0}}
.sum small{display:grid;justify-items:end;color:var(--soft);font-size:calc(var(--u)*1.2);font-weight:400;white-space:nowrap}
.name:has(.has){grid-template-columns:minmax(0,1fr)}
.has{display:flex;flex-wrap:wrap;align-items:center;column-gap:10px}
.has bdi{white-space:normal}
.has .tag{margin:0;padding:0 6px;font-size:calc(var(--u)*1.1)}
.tag.bad{color:var(--bad);background:var(--bad-tint)}
.veiled{margin-top:8px}
.row:has(.has)>.tile,.veiled .tile{border-radius:50%}
.row.veiled .tile{color:var(--soft)}
.veiled>.icon{transition:transform 120ms}
.veiled[aria-expanded=true]{margin-bottom:8px}
.veiled[aria-expanded=true]>.icon{transform:rotate(180deg)}
`
