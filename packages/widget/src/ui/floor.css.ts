/** Styles of a view's foot: its main button and what belongs beside it stay whole at the lower edge, and the rest scrolls. */
export const floorCss = `
.floor{position:sticky;z-index:2;inset-block-end:0;display:grid;grid-template-columns:minmax(0,1fr);gap:8px;margin-bottom:-16px;padding-bottom:16px;background:var(--card)}
.floor::before{position:absolute;bottom:100%;margin:0}
.floor q{display:block;text-align:match-parent;max-height:66px;overflow:auto;color:var(--soft);overflow-wrap:anywhere}
.body:has(.floor){scroll-padding-block-end:72px}
@media(max-height:600px){.floor{position:static}.body:has(.floor){scroll-padding-block-end:0}}
`
