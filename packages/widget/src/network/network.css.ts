/** The search field of a long list, and what stands below a list. */
export const networkCss = `
.search{position:sticky;z-index:1;inset-block-start:0;display:flex;align-items:center;gap:10px;min-height:48px;margin:0 0 8px;padding:0 14px;border-radius:calc(var(--k)*4);background:var(--field);color:var(--soft)}
.search input{flex:1;min-width:0;height:48px;padding:0;border:0;background:none;color:var(--ink);font:inherit;outline:none}
.search:focus-within{box-shadow:inset 0 0 0 2px var(--focus)}
.search input::-webkit-search-cancel-button{display:none}
.none{margin:0;text-align:center;color:var(--soft)}
.none:not(:empty){padding:24px 0}
.lead{margin:0 8px 16px;text-align:center;text-wrap:balance;color:var(--soft)}
.lead.below{margin:16px 8px 0}
`
