/** Styles of the pairing views: QR code, platform tabs, and the rows below them. */
export const pairingCss = `
.ways{display:flex;gap:4px;margin-bottom:12px;padding:4px;border-radius:calc(var(--k)*4);background:var(--row)}
.ways button{flex:1 1 0;display:flex;align-items:center;justify-content:center;gap:6px;min-width:0;min-height:40px;padding:4px 6px;border:0;border-radius:calc(var(--k)*3);background:none;color:var(--soft);font-size:calc(var(--u)*1.3);font-weight:500;cursor:pointer;transition:background-color 120ms,color 120ms}
.ways button[aria-selected=true]{background:var(--row-press);color:var(--ink)}
:host([data-theme=light]) .ways button[aria-selected=true]{background:var(--base);box-shadow:0 1px 3px var(--shade)}
.ways .icon{width:18px;height:18px}
.ways span{min-width:0;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
.scan{display:grid;gap:12px}
.scan [role=status]{display:grid;gap:2px;padding:0 8px;text-align:center}
.scan p{color:var(--soft);text-wrap:balance}
.scan strong{font-size:calc(var(--u)*1.5);text-wrap:balance}
.left{display:block;min-height:1.45em;margin-top:2px;text-align:center;color:var(--soft);font-variant-numeric:tabular-nums}
.small .qr{width:min(100%,248px);justify-self:center}
.ways:has(:nth-child(4)) button{flex-direction:column;gap:2px;min-height:52px;font-size:calc(var(--u)*1.2)}
.acts{display:grid;gap:8px;width:100%}
.waiting>.acts{margin-top:-8px}
.halves{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:8px}
.halves>:last-child:nth-child(odd){grid-column:1/-1}
a.button[aria-disabled=true]{opacity:.5}
.calm .ring{display:none}
.from{display:grid;gap:8px;margin-top:16px;padding-top:16px;border-top:1px solid var(--rim);text-align:center}
.from .button{gap:6px;padding:8px 6px;font-size:calc(var(--u)*1.3)}
.from .button .icon{width:14px;height:14px}
@media(max-width:240px){.card .from .button{flex-wrap:wrap;gap:0 4px;padding-inline:2px;font-size:min(calc(var(--u)*1.3),6.2vw)}}
.from p{color:var(--soft);font-size:calc(var(--u)*1.3)}
@media(min-width:430px){
  .card:has(.from){max-height:min(700px,100% - 32px)}
  #way:has(+.from) .qr{width:min(100%,248px);justify-self:center}
  .from{margin-top:12px;padding-top:12px}
  .from .button{min-height:40px;padding-block:4px}
}
@media(max-height:760px){#way:has(+.from) .qr{width:min(100%,232px);justify-self:center}}
.more-wallets{margin-top:16px;padding-top:16px;border-top:1px solid var(--rim);display:grid;gap:8px}
@media(pointer:coarse){.ways button{min-height:44px}}
@media(forced-colors:active){.ways button[aria-selected=true]{outline:2px solid Highlight}}
`
