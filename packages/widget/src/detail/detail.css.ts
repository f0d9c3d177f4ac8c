/** Styles of the details of a token, NFT or transaction. */
export const detailCss = `
.detail{display:grid;grid-template-columns:minmax(0,1fr);gap:12px}
.hero{display:grid;grid-template-columns:minmax(0,1fr);justify-items:center;gap:2px;padding:4px 8px 8px;text-align:center}
.hero>.tile{width:64px;height:64px;margin-bottom:8px;border-radius:50%;font-size:calc(var(--u)*2.6)}
.hero.art>.tile{width:min(100%,260px);height:auto;aspect-ratio:1;border-radius:calc(var(--k)*5);font-size:calc(var(--u)*6)}
.hero>.pair{margin-bottom:8px}
.hero>.medal{margin-bottom:8px}
.hero strong{max-width:100%;font-size:calc(var(--u)*2.4);line-height:1.25;letter-spacing:-.01em;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
.hero strong.long{font-size:calc(var(--u)*1.7)}
.hero strong bdi{display:block}
.hero .undone{text-decoration:line-through;color:var(--soft)}
.hero>span:not(.tile,.pair){color:var(--soft)}
.hero .tag{margin:0}
.detail .failed.failed{color:var(--bad)}
.doings{display:grid;grid-auto-flow:column;grid-auto-columns:minmax(0,1fr);gap:8px}
.detail dl{display:grid;grid-template-columns:minmax(0,1fr);padding:6px 14px;border-radius:calc(var(--k)*4);background:var(--row)}
.detail dl>div{display:flex;align-items:center;justify-content:space-between;gap:16px;min-height:40px}
.detail dt{flex:none;max-width:60%;overflow-wrap:break-word;color:var(--soft)}
.detail dd{min-width:0;text-align:end;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
.detail .whole{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:0 4px;padding:6px 0}
.detail .whole dt{grid-column:1}
.detail .whole dd{display:contents}
.detail .whole bdi{grid-column:1;font:calc(var(--u)*1.3)/1.45 ui-monospace,monospace;text-align:start;max-width:22ch;word-break:break-all}
.detail .whole:dir(rtl) bdi{text-align:end}
.detail .whole .round{grid-column:2;grid-row:1/span 2;align-self:center;margin-inline-end:-10px}
.detail .round[data-done=true]{color:var(--good)}
.wary{display:flex;gap:10px;padding:10px 14px;border-radius:calc(var(--k)*3);background:var(--row);text-wrap:pretty}
.wary.bad{background:var(--bad-tint)}
.wary .icon{color:var(--soft)}
.wary.bad .icon{color:var(--bad)}
`
