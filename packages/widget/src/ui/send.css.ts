/** Styles that sending adds to the forms: receiver, warnings, preview and result. */
export const sendCss = `
.send .field textarea{field-sizing:content;min-height:44px;font-size:calc(var(--u)*1.5);line-height:22px;overflow-wrap:anywhere}
.send .field textarea:dir(ltr)::placeholder{direction:inherit}
.send .under{display:grid;min-width:0;overflow-wrap:anywhere}
.send .under span:empty{display:none}
.payee{display:flex;align-items:center;gap:10px;min-width:0;padding-top:8px;border-top:1px solid var(--rim)}
.payee .avatar{flex:none;width:32px;height:32px;border-radius:16px;object-fit:cover}
.looking{display:flex;align-items:center;gap:8px;color:var(--soft);font-size:calc(var(--u)*1.3)}
.warnings{display:grid;gap:6px}
.warn{display:flex;gap:8px;padding:10px 14px;border-radius:calc(var(--k)*3);background:var(--row);font-size:calc(var(--u)*1.3);line-height:1.45}
.warn .icon{width:18px;height:18px;color:var(--warn)}
.warn.grave{background:var(--bad-tint)}
.warn.grave .icon{color:var(--bad)}
.warn small{display:block;color:var(--soft);overflow-wrap:anywhere}
.warn b{color:var(--ink)}
.warn .full{display:block;max-width:22.5ch;word-break:break-all;font:calc(var(--u)*1.2)/1.4 ui-monospace,monospace;text-align:match-parent}
.review .amount{padding:4px 8px 12px;text-align:center;font-size:calc(var(--u)*3.2);line-height:1.2;font-weight:600;letter-spacing:-.02em;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
.review .amount span{font-size:calc(var(--u)*2);color:var(--soft)}
.review .amount.long{padding-inline:0;font-size:min(calc(var(--u)*1.7),6.4vw)}
.review .amount.long span{font-size:.82em}
.review .amount small{display:block;color:var(--soft);font-size:calc(var(--u)*1.3);font-weight:400;letter-spacing:0}
.review .party{align-content:center;gap:0;min-height:60px;padding:8px 14px}
.party small{color:var(--soft);font-size:calc(var(--u)*1.3)}
.party strong{display:flex;min-width:0}
.review .party{grid-template-columns:1fr auto;column-gap:12px}
.party>*{grid-column:1}
.party .avatar{grid-area:1/2/span 3;align-self:center;width:36px;height:36px;border-radius:18px;object-fit:cover}
:is(.payee,.party,.hints) .full{justify-self:start;max-width:22ch;white-space:normal;word-break:break-all;font:calc(var(--u)*1.2)/1.4 ui-monospace,monospace;text-align:match-parent}
:is(.payee,.party) .full{color:var(--soft)}
.send .unit{display:inline-flex;align-items:center;gap:4px;min-height:24px;margin:-2px -6px;padding:2px 6px;border:0;border-radius:8px;background:none;color:var(--link);cursor:pointer}
.send .unit .icon{width:14px;height:14px;transform:rotate(90deg)}
.hints{display:grid;gap:2px;margin:4px -6px -4px;padding:6px 0 0;border-top:1px solid var(--rim);list-style:none}
.hints button{display:grid;width:100%;min-height:44px;padding:6px;border:0;border-radius:10px;background:none;text-align:start;cursor:pointer}
.hints small{color:var(--soft)}
.send .fit:has(.sign){position:relative}
.send .fit .sign{position:absolute;inset:0;color:var(--soft);pointer-events:none}
.send .sign span{visibility:hidden}
.send .sign+.big{padding-left:.7em}
@media(hover:hover){.hints button:hover,.send .unit:hover{background:var(--row-hover)}}
@media(pointer:coarse){.send .unit{min-height:44px;margin-block:-8px}}
`
