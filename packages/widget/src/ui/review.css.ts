/** Styles of reviews before a signature and of results after it. */
export const reviewCss = `
.boxed.facts{padding:14px;border-radius:calc(var(--k)*4);background:var(--row)}
.boxed .strong{font-weight:600}
.boxed>*+.strong{padding-top:10px;border-top:1px solid var(--rim)}
.copies{display:flex;align-items:center;gap:4px;min-width:0}
.copies .round{width:32px;height:28px;margin-block:-2px;margin-inline-end:-8px}
.copies .icon{width:16px;height:16px}
.contract .full{max-width:22ch;word-break:break-all;color:var(--soft);font:calc(var(--u)*1.2)/1.4 ui-monospace,monospace;text-align:match-parent}
.button.grave{background:#c0271d;color:#fff}
.button.grave:hover{filter:brightness(1.08)}
`
