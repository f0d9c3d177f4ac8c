/**
 * Styles of a view's foot: its main button, or a choice of two, and what belongs beside it stay whole at the lower edge, and the rest scrolls.
 * `more` fades the content above it until its end is in view; it follows the scroll position, so it also runs where motion is reduced.
 */
export const floorCss = `
.floor{position:sticky;z-index:2;inset-block-end:0;display:grid;grid-template-columns:minmax(0,1fr);gap:8px;margin-bottom:-16px;padding-bottom:16px;background:var(--card);box-shadow:0 1px var(--card)}
.floor::before{content:"";position:absolute;inset:auto 0 100%;height:32px;pointer-events:none;opacity:0;background:linear-gradient(transparent,var(--card));animation:more linear both!important;animation-timeline:scroll()!important;animation-range:calc(100% - 48px) 100%!important}
@keyframes more{from{opacity:1}}
.floor q{display:block;text-align:match-parent;max-height:66px;overflow:auto;color:var(--soft);overflow-wrap:anywhere}
.choices{display:flex;flex-wrap:wrap;gap:8px}
.choices .button{flex:1 1 88px;width:auto}
.choices .button+.button{flex:2.2 1 180px}
.floor>.fault{padding:4px 14px}
.body:has(.floor){scroll-padding-block-end:72px}
@media(max-height:600px){.floor{position:static}.floor::before{display:none}.body:has(.floor){scroll-padding-block-end:0}}
`
