/** Styles of the search field, and of the message for no results. */
export const searchCss = `
.find{position:sticky;z-index:1;inset-block-start:0;display:flex;gap:8px;margin:0 0 8px;background:var(--card)}
.find>.round{width:48px;height:48px;border-radius:calc(var(--k)*4);background:var(--field)}
.search{flex:1;min-width:0;display:flex;align-items:center;gap:10px;min-height:48px;padding:0 14px;border-radius:calc(var(--k)*4);background:var(--field);color:var(--soft)}
.search input{flex:1;min-width:0;height:48px;padding:0;border:0;background:none;color:var(--ink);font:inherit;outline:none;text-overflow:ellipsis}
.search ::placeholder{color:var(--soft);opacity:1}
.search .round{margin-inline-end:-10px}
.search:focus-within{box-shadow:inset 0 0 0 2px var(--focus)}
.search input::-webkit-search-cancel-button{display:none}
.unmatched{margin:0;text-align:center;text-wrap:balance;color:var(--soft)}
.unmatched:not(:empty){padding:24px 8px}
`
