/** Styles of the Receive view. */
export const receiveCss = `
.receive{display:grid;grid-template-columns:minmax(0,1fr);justify-items:center;gap:12px}
.receive .qr{width:min(100%,272px)}
.receive .mine{display:flex;align-items:center;gap:12px;width:100%;min-height:60px;padding:8px 14px 8px 10px;border:0;border-radius:calc(var(--k)*4);background:var(--row);color:var(--ink);text-align:start;cursor:pointer;transition:background-color 120ms}
.receive .mine:dir(rtl){padding:8px 10px 8px 14px}
.receive .mine:active{background:var(--row-press)}
.mine .avatar{flex:none;width:36px;height:36px;border-radius:50%;object-fit:cover}
.mine .full{max-width:22ch;font:calc(var(--u)*1.3)/1.4 ui-monospace,monospace;word-break:break-all}
.mine .name strong+.full{color:var(--soft);font-weight:400}
.mine strong{display:grid;min-width:0}
.mine .icon{color:var(--link)}
.receive .only{padding:0 8px;text-align:center;text-wrap:balance;color:var(--soft)}
.only b{color:var(--ink);font-weight:600}
.also{width:100%;border-radius:calc(var(--k)*4);background:var(--row)}
.also summary{display:flex;align-items:center;gap:8px;min-height:48px;padding:8px 14px;border-radius:calc(var(--k)*4);font-weight:500;cursor:pointer}
.also summary>span:first-child{flex:1;min-width:0}
.also summary:focus-visible{outline-offset:-2px}
.pile{display:flex;flex:none}
.pile .tile{width:24px;height:24px;border-radius:50%;font-size:calc(var(--u)*1.1);box-shadow:0 0 0 2px var(--card)}
.pile .tile+.tile{margin-inline-start:-8px}
.also ul{display:grid;grid-template-columns:minmax(0,1fr);gap:2px;margin:0;padding:0 10px 10px;list-style:none}
.also li{display:flex;align-items:center;gap:10px;min-height:40px;padding:4px}
.also li .tile{flex:none;width:28px;height:28px;border-radius:50%;font-size:calc(var(--u)*1.2)}
@media(hover:hover){.receive .mine:hover{background:var(--row-hover)}.receive .mine:active{background:var(--row-press)}}
@media(forced-colors:active){.receive .mine,.also{border:1px solid}}
`
