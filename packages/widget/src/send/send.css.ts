/** The form of a send, and its preview. */
export const sendCss = `
.send,.preview{display:grid;gap:8px}
.send .field{display:grid;gap:4px;padding:12px 14px;border-radius:calc(var(--k)*4);background:var(--row);transition:box-shadow 120ms}
.send .field:focus-within{box-shadow:inset 0 0 0 2px var(--focus)}
.send .field.wrong{box-shadow:inset 0 0 0 1.5px var(--bad)}
.send .field label,.under,.side small{color:var(--soft);font-size:calc(var(--u)*1.3)}
.send .line{display:flex;align-items:center;justify-content:space-between;gap:8px;min-width:0}
.send .field input,.field textarea{flex:1;min-width:0;padding:0;border:0;background:none;color:var(--ink);font:inherit;outline:none;resize:none}
.send .field ::placeholder{color:var(--soft);opacity:1}
.send .field .big{font-size:calc(var(--u)*2.8);font-weight:600;letter-spacing:-.02em;font-variant-numeric:tabular-nums;height:44px}
.send .field textarea{min-height:44px;font-size:calc(var(--u)*1.5);line-height:22px;overflow-wrap:anywhere}
.send .field textarea:dir(ltr)::placeholder{direction:inherit}
.send .field .button{width:auto;min-height:32px;padding:4px 12px;border-radius:calc(var(--k)*2.5);background:var(--tint);color:var(--link)}
.coin{flex:none;display:flex;align-items:center;gap:8px;max-width:50%;min-height:40px;padding:6px 10px 6px 6px;border:0;border-radius:20px;background:var(--pop);color:var(--ink);font:inherit;font-weight:600;cursor:pointer;transition:background 120ms}
.coin:hover{background:var(--tint)}
.coin .icon{flex:none;width:16px;height:16px;color:var(--soft)}
.coin:dir(rtl){padding:6px 6px 6px 10px}
.coin .tile{width:28px;height:28px;border-radius:14px;font-size:calc(var(--u)*1.3)}
.under{display:grid;min-width:0;overflow-wrap:anywhere}
.under span:empty{display:none}
.payee{display:flex;align-items:center;gap:10px;min-width:0;padding-top:6px;border-top:1px solid var(--rim)}
.payee .tile{flex:none;width:32px;height:32px;border-radius:16px}
.payee .name{display:grid;min-width:0}
.payee .full{white-space:normal;overflow-wrap:anywhere}
.looking{display:flex;align-items:center;gap:8px;color:var(--soft);font-size:calc(var(--u)*1.3)}
.warnings{display:grid;gap:6px}
.warnings:empty{display:none}
.warn{display:flex;gap:8px;padding:10px 14px;border-radius:calc(var(--k)*3);background:var(--row);font-size:calc(var(--u)*1.3);line-height:1.45}
.warn .icon{flex:none;width:18px;height:18px;color:var(--soft)}
.warn.grave{background:var(--bad-tint)}
.warn.grave .icon{color:var(--bad)}
.warn small{display:block;color:var(--soft);overflow-wrap:anywhere}
.facts dd small,.amount small{display:block;color:var(--soft);font-size:calc(var(--u)*1.3);font-weight:400;letter-spacing:0}
.sendable{display:grid;grid-template-columns:minmax(0,1fr);gap:8px}
.sendable small,.sendable .sum{min-width:0;overflow-wrap:anywhere}
.seek{display:flex;align-items:center;gap:10px;min-height:48px;padding:0 14px;border-radius:calc(var(--k)*4);background:var(--row);color:var(--soft)}
.seek input{flex:1;min-width:0;height:48px;padding:0;border:0;background:none;color:var(--ink);font:inherit;outline:none}
.seek:focus-within{box-shadow:inset 0 0 0 2px var(--focus)}
.seek input::-webkit-search-cancel-button{display:none}
.seek .icon,.sendable .row>.icon{flex:none;width:18px;height:18px}
.sendable .row>.icon{color:var(--link)}
.nothing{padding:16px;text-align:center;color:var(--soft)}
.nothing:empty{display:none}
.sent{display:grid;gap:16px;justify-items:center;text-align:center;padding-top:12px}
.sent .seal{display:grid;place-items:center;width:64px;height:64px;border-radius:32px;background:var(--tint);color:var(--link)}
.sent .seal.failed,.sent .seal.replaced{background:var(--bad-tint);color:var(--bad)}
.sent .seal .icon,.sent .seal .spinner{width:28px;height:28px}
.sent h2{margin:0;font-size:calc(var(--u)*2);text-wrap:balance}
.sent p{padding-top:4px;color:var(--soft);text-wrap:balance}
.sent .facts{justify-self:stretch;padding:14px;border-radius:calc(var(--k)*4);background:var(--row);text-align:start}
.sent .facts .strong{padding-top:0;border:0}
.sent .facts dd{display:grid;justify-items:end}
.after{display:grid;gap:8px;justify-self:stretch}
.send .fault{display:flex;gap:6px;color:var(--bad);font-size:calc(var(--u)*1.3)}
.send .fault:empty{display:none}
.send .fault .icon,.said .icon{width:18px;height:18px}
.facts{display:grid;gap:10px;padding:10px 14px}
.preview .facts{border-radius:calc(var(--k)*4);background:var(--row);padding:14px}
.facts>div{display:flex;justify-content:space-between;gap:16px}
.facts dt{flex:none;color:var(--soft)}
.facts dd{min-width:0;text-align:end;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
.facts .strong{padding-top:10px;border-top:1px solid var(--rim);font-weight:600}
.amount{padding:8px 8px 16px;text-align:center;font-size:calc(var(--u)*3.2);line-height:1.2;font-weight:600;letter-spacing:-.02em;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
.amount.long{font-size:calc(var(--u)*2)}
.amount.long span{font-size:calc(var(--u)*1.6);color:var(--soft)}
.amount:not(.long) span{font-size:calc(var(--u)*2);color:var(--soft)}
.route{position:relative;display:grid;gap:4px}
.route .medal{position:absolute;inset:62px 0 auto;z-index:1;width:32px;height:32px;margin:-16px auto 0;border-radius:12px;background:var(--pop);box-shadow:0 0 0 3px var(--base);color:var(--soft)}
.route .icon{width:18px;height:18px}
.side{display:grid;align-content:center;min-height:60px;padding:8px 14px;border-radius:calc(var(--k)*4);background:var(--row)}
.side strong{display:flex;min-width:0}
.side.drawn{grid-template-columns:1fr auto;column-gap:12px}
.side.drawn>*{grid-column:1}
.side.drawn .tile{grid-area:1/2/span 3;align-self:center;width:36px;height:36px;border-radius:18px}
.full{justify-self:start;color:var(--soft);font:calc(var(--u)*1.13)/1.5 ui-monospace,monospace}
.said{display:flex;justify-content:center;gap:8px;padding:6px 8px;text-align:center;text-wrap:balance;color:var(--soft)}
.said.wrong{justify-content:start;padding:10px 14px;border-radius:calc(var(--k)*3);background:var(--bad-tint);color:var(--ink);text-align:start}
.said.wrong .icon{color:var(--bad)}
.said q{display:block;text-align:match-parent;max-height:66px;overflow:auto;color:var(--soft);overflow-wrap:anywhere}
.choices{display:grid;grid-template-columns:1fr 1.6fr;gap:8px}
@media(pointer:coarse){.send .field .button{min-height:44px}}
`
