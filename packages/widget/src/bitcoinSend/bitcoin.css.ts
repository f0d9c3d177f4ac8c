/** Styles that payments on Bitcoin add to the forms: the choice of a speed. */
export const bitcoinCss = `
.speeds{display:grid;grid-template-columns:minmax(0,1fr);min-width:0;margin:0;padding:12px 14px 6px;border:0;border-radius:calc(var(--k)*4);background:var(--row)}
.speeds legend{float:left;padding:0;color:var(--soft);font-size:calc(var(--u)*1.3)}
.speeds label{display:flex;flex-wrap:wrap;align-items:center;gap:4px 10px;min-height:48px;cursor:pointer}
.speeds input{flex:none;width:18px;height:18px;margin:0;accent-color:var(--button);cursor:pointer}
.speeds span{min-width:0;overflow-wrap:break-word}
.speeds .cost{white-space:nowrap;margin-inline-start:auto;text-align:end;font-variant-numeric:tabular-nums}
.speeds small{display:block;color:var(--soft);font-size:calc(var(--u)*1.3)}
span.pill{cursor:default}
@media(forced-colors:active){.speeds{border:1px solid}}
`
