/** Styles of the consent checkbox above the wallet list. */
export const legalCss = `
.agree{display:flex;align-items:center;gap:12px;min-height:56px;margin-bottom:12px;padding:10px 12px;border:1px solid var(--rim);border-radius:calc(var(--k)*4);line-height:1.4;cursor:pointer;transition:border-color 120ms,background-color 120ms}
.agree:not(:has(:checked)){border-color:var(--link);background:var(--tint)}
.agree input{flex:none;width:20px;height:20px;margin:0;accent-color:var(--button);cursor:pointer}
.row[aria-disabled=true]{opacity:.5}
@media(hover:hover){.row[aria-disabled=true]:hover{background:var(--row)!important}}
@media(forced-colors:active){.agree{border:1px solid}}
`
