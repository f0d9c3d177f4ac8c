/** Styles of a receipt: the state of a transaction and its facts. */
export const receiptCss = `
.sent{display:grid;grid-template-columns:minmax(0,1fr);gap:16px;justify-items:center;text-align:center;padding-top:12px}
.sent .seal{display:grid;place-items:center;width:64px;height:64px;border-radius:32px;background:var(--tint);color:var(--link)}
.sent .seal[data-state=confirmed]{background:var(--good-tint);color:var(--good)}
.sent .seal:is([data-state=failed],[data-state=replaced],[data-state=expired]){background:var(--bad-tint);color:var(--bad)}
.sent .seal>*{width:28px;height:28px}
.sent h2{margin:0;font-size:calc(var(--u)*2);text-wrap:balance}
.sent p{padding-top:4px;color:var(--soft);text-wrap:balance}
.sent .facts{justify-self:stretch;text-align:start}
.sent .facts dd{flex-flow:column;align-items:end}
.sent .strong+.strong{padding-top:0;border:0}
.sent .facts .hash{flex-flow:row;align-items:center;gap:4px;margin-block:-10px}
.sent .hash bdi{white-space:nowrap}
.sent .hash .round{width:32px;height:40px;margin-inline-end:-8px}
.sent .hash .icon{width:16px;height:16px}
.sent .full{max-width:22ch;word-break:break-all;font:calc(var(--u)*1.2)/1.4 ui-monospace,monospace;text-align:start}
@media(max-width:340px){.sent .full{font-size:calc(var(--u)*1.1)}}
@media(max-width:300px){.sent .facts>div{flex-direction:column;gap:2px}.sent .facts dd{align-items:start;text-align:start}.sent .facts .hash{align-items:center;justify-content:start}}
.sent>.floor{justify-self:stretch}
`
