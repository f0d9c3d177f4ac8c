/** Buying coins with money: the deal, who sells, the lists, the purchase. */
export const onrampCss = `
.buy{display:grid;gap:16px}
.deal{display:grid;gap:8px}
.deal .field{display:grid;gap:4px;padding:12px 14px;border-radius:calc(var(--k)*4);background:var(--row);transition:box-shadow 120ms}
.deal .field:focus-within:has(input:focus){box-shadow:inset 0 0 0 2px var(--focus)}
.deal .field.wrong{box-shadow:inset 0 0 0 1.5px var(--bad)}
.deal label,.deal .soft{color:var(--soft);font-size:calc(var(--u)*1.3)}
.buy .lost{display:flex;align-items:center;justify-content:space-between;gap:8px;padding:8px 8px 8px 14px;border-radius:calc(var(--k)*4);background:var(--row);color:var(--soft)}
.buy .lost:dir(rtl){padding:8px 14px 8px 8px}
.buy .lost .button{flex:none;width:auto;color:var(--link)}
.deal .field.line{min-height:60px}
.deal:dir(rtl) input{text-align:right}
.deal .line{display:flex;align-items:center;justify-content:space-between;gap:8px;min-width:0}
.deal input{flex:1;min-width:0;height:44px;padding:0;border:0;background:none;color:var(--ink);font:inherit;font-size:calc(var(--u)*2.8);font-weight:600;letter-spacing:-.02em;font-variant-numeric:tabular-nums;outline:none}
.deal input::placeholder{color:var(--soft);opacity:1}
.deal .pill{flex:none;max-width:55%}
.deal .word{width:72px;height:16px}
.deal .fault{display:flex;gap:6px;color:var(--bad);font-size:calc(var(--u)*1.3)}
.deal .fault:empty{display:none}
.deal .fault .icon{width:18px;height:18px}
.buy .price{flex:none;margin-inline-end:8px;font-weight:600;font-variant-numeric:tabular-nums}
.buy .row>.word{flex:none;width:84px;margin-inline-end:8px}
.buy .name small{display:grid}
.money{background:var(--tint);color:var(--link);font-weight:600;font-size:calc(var(--u)*1.3)}
.lookup{position:sticky;z-index:1;inset-block-start:0;display:flex;align-items:center;gap:10px;min-height:48px;margin:0 0 8px;padding:0 14px;border-radius:calc(var(--k)*4);background:var(--field);color:var(--soft)}
.lookup input{flex:1;min-width:0;height:48px;padding:0;border:0;background:none;color:var(--ink);font:inherit;outline:none}
.lookup:focus-within{box-shadow:inset 0 0 0 2px var(--focus)}
.lookup input::-webkit-search-cancel-button{display:none}
.nohit{text-align:center;color:var(--soft)}
.nohit:not(:empty){padding:24px 0}
.buying{display:grid;gap:12px}
.goal{display:grid;gap:10px;padding:14px;border-radius:calc(var(--k)*4);background:var(--row)}
.goal>div{display:flex;justify-content:space-between;gap:16px}
.goal dt{flex:none;color:var(--soft)}
.goal dd{min-width:0;text-align:end;overflow-wrap:anywhere}
`
