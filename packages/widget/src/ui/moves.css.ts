/** Styles of the amounts and icons of a transaction. */
export const movesCss = `
.gain{color:var(--good)}
.undone{text-decoration:line-through;color:var(--soft)}
.undone .gain{color:inherit}
.pair{position:relative;flex:none;width:40px;height:40px}
.pair .tile{position:absolute;inset-block-start:0;inset-inline-start:0;width:28px;height:28px;border-radius:50%;font-size:calc(var(--u)*1.2)}
.pair .tile:nth-child(2){inset:auto;inset-block-end:0;inset-inline-end:0;box-shadow:0 0 0 2px var(--card)}
.pair.one .tile{width:40px;height:40px;font-size:calc(var(--u)*1.6)}
.pair.print .tile{border-radius:calc(var(--k)*2.5)}
.did{position:absolute;inset-block-end:-3px;inset-inline-end:-4px;display:grid;place-items:center;width:20px;height:20px;border-radius:50%;background:var(--pop);color:var(--ink);box-shadow:0 0 0 2px var(--card)}
.did .icon{width:12px;height:12px;stroke-width:2.2}
`
