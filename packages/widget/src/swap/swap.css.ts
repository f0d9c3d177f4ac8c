/** Styles that a swap adds to the forms: its two sides and the price. */
export const swapCss = `
.swap .field{gap:2px}
.swap .big.none{color:var(--soft)}
.swap .big .bone{display:inline-block;width:60%;height:24px;margin-top:10px}
.swap .fit{position:relative}
.swap .fit>.bone{position:absolute;top:10px;width:60%;height:24px;pointer-events:none}
.swap .why{padding-bottom:12px;color:var(--soft)}
.swap .under{min-height:32px;flex-wrap:wrap;gap:0 8px}
.swap .under>span:first-child{flex:1 0 auto;white-space:nowrap}
.swap .there{display:flex;align-items:center;justify-content:end;gap:8px;min-width:0;margin-inline-start:auto;text-align:end}
.swap .fault:not(:empty){padding-bottom:12px}
.swap .field.bone{min-height:118px}
.swap .price summary{display:flex;align-items:center;justify-content:space-between;gap:8px;min-height:44px;padding:4px 14px;border-radius:calc(var(--k)*3);color:var(--soft);font-size:calc(var(--u)*1.3);font-variant-numeric:tabular-nums;list-style:none;cursor:pointer}
.swap .price summary::-webkit-details-marker{display:none}
.swap .price summary .icon{width:16px;height:16px;transition:transform 120ms}
.swap .price[open] summary .icon{transform:rotate(180deg)}
.swap .price summary .icon{margin-inline-start:auto}
.rest{flex:none;width:16px;height:16px;transform:rotate(-90deg)}
.rest.spinner{color:var(--soft)}
.rest circle{fill:none;stroke:var(--soft);stroke-width:1.5}
.rest circle+circle{stroke-width:5;stroke-dasharray:100;animation:rest var(--rest) linear var(--gone) forwards}
@keyframes rest{to{stroke-dashoffset:100}}
@media(prefers-reduced-motion:reduce){.rest circle+circle{animation:rest var(--rest) steps(4) var(--gone) forwards!important}}
.slip summary>span{display:flex;align-items:center;gap:8px}
.slip .much{color:var(--warn)}
.slip .choose{display:grid;grid-template-columns:repeat(3,1fr) 1.5fr;gap:6px;padding:2px 14px 10px}
.slip .pill{gap:2px;max-width:none;padding:0 8px}
.slip .pill:is([aria-pressed=true],.own){background:var(--tint);color:var(--link);box-shadow:inset 0 0 0 1.5px var(--link)}
.slip input{width:100%;min-width:0;padding:0;border:0;background:none;color:inherit;font:inherit;text-align:end;text-overflow:ellipsis;outline:none}
.slip input:placeholder-shown{text-align:center}
.slip .pill:has([aria-invalid=true]){background:var(--bad-tint);color:var(--bad);box-shadow:inset 0 0 0 1.5px var(--bad)}
.slip .pill:focus-within:not(:has(button)){outline:2px solid var(--focus);outline-offset:2px}
.slip input::placeholder{color:var(--soft);opacity:1}
.slip .fault:not(:empty){padding-inline:14px}
.slip>div>.fault{padding:0 14px 6px}
.swap .facts{gap:6px}
.swap [data-level=high]{color:var(--warn)}
.swap [data-level=severe]{color:var(--bad)}
`
