/** Styles of the other namespaces' accounts. */
export const othersCss = `
.others{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:8px;margin:0;padding:0;list-style:none}
.others>:last-child:nth-child(odd){grid-column:1/-1}
.others li{display:grid}
.others[aria-busy=true] .other{animation:pulse 1.4s ease-in-out infinite}
.other{display:flex;align-items:center;gap:6px;min-width:0;min-height:44px;padding:4px 8px;border:0;border-radius:calc(var(--k)*4);background:var(--row);font-size:calc(var(--u)*1.4);font-weight:500;line-height:1.25;text-align:start;cursor:pointer;transition:background-color 120ms}
.other .tile{flex:none;width:24px;height:24px;border-radius:50%;font-size:calc(var(--u)*1.2)}
.other .icon{width:18px;height:18px}
.other>span:last-child{min-width:0;overflow-wrap:anywhere}
.other.vacant{font-size:calc(var(--u)*1.3);background:none;box-shadow:inset 0 0 0 1px var(--rim);color:var(--soft)}
@media(hover:hover){.other:not([aria-disabled]):hover{background:var(--row-hover);color:var(--ink)}}
.other:not([aria-disabled]):active{background:var(--row-press)}
@media(forced-colors:active){.other{border:1px solid}}
@media(max-width:350px){.other,.other.vacant{padding-inline:8px 4px;font-size:calc(var(--u)*1.2)}}
@media(max-width:240px){.others{grid-template-columns:minmax(0,1fr)}}
`
