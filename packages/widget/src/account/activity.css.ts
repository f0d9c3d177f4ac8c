/** Styles of the transaction history. */
export const activityCss = `
.way{margin-bottom:-2px}
.deed>.row{width:100%;column-gap:10px}
.label{display:flex;align-items:center;gap:6px}
.label .tag{margin:0;padding:1px 6px;font-size:calc(var(--u)*1.1)}
.tag.bad{color:var(--bad);background:var(--bad-tint)}
.when{display:flex;gap:3px;white-space:nowrap}
.deed .sum{display:grid;justify-items:end;max-width:48%;margin-inline-end:4px;font-size:calc(var(--u)*1.4)}
.gain{color:var(--good)}
.undone{text-decoration:line-through;color:var(--soft)}
.undone .gain{color:inherit}
.month h2{position:sticky;inset-block-start:0;z-index:1;margin:0;padding:10px 8px 6px;background:var(--card);font-size:calc(var(--u)*1.3);font-weight:500;color:var(--soft)}
.all{position:relative;z-index:2;display:flex;justify-content:flex-end;height:36px;margin-bottom:-36px;pointer-events:none}
.all button{padding:0 8px;border:0;border-radius:calc(var(--k)*2);background:none;color:var(--link);font-size:calc(var(--u)*1.3);font-weight:500;cursor:pointer;pointer-events:auto}
.pair{position:relative;flex:none;width:40px;height:40px}
.pair .tile{position:absolute;inset-block-start:0;inset-inline-start:0;width:28px;height:28px;border-radius:50%;font-size:calc(var(--u)*1.2)}
.pair .tile:nth-child(2){inset:auto;inset-block-end:0;inset-inline-end:0;box-shadow:0 0 0 2px var(--card)}
.pair.one .tile{width:40px;height:40px;font-size:calc(var(--u)*1.6)}
.did{position:absolute;inset-block-end:-3px;inset-inline-end:-4px;display:grid;place-items:center;width:20px;height:20px;border-radius:50%;background:var(--pop);color:var(--ink);box-shadow:0 0 0 2px var(--card)}
.did .icon{width:12px;height:12px;stroke-width:2.2}
`
