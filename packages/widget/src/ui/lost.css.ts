/** Styles of the error line with a retry. */
export const lostCss = `
.lost{display:flex;align-items:center;justify-content:center;gap:4px 8px;padding:8px 6px 8px 14px;border-radius:calc(var(--k)*4);background:var(--row);color:var(--soft)}
.lost:dir(rtl){padding:8px 14px 8px 6px}
.lost>span{flex:1;text-wrap:balance}
.lost .button{flex:none;width:auto;color:var(--link)}
`
