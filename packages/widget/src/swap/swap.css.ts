/** Styles that a swap adds to the forms: its two sides and the price. */
export const swapCss = `
.swap .field{gap:2px}
.swap .big.none{color:var(--soft)}
.swap .big .bone{display:inline-block;width:60%;height:24px;margin-top:10px}
.swap .under{min-height:32px}
.swap .under>span:first-child{flex:none;white-space:nowrap}
.swap .there{display:flex;align-items:center;gap:8px;min-width:0;text-align:end}
.swap .fault:not(:empty){padding-bottom:12px}
.swap .field.bone{min-height:118px}
.swap .price summary{display:flex;align-items:center;justify-content:space-between;gap:8px;min-height:44px;padding:4px 14px;border-radius:calc(var(--k)*3);color:var(--soft);font-size:calc(var(--u)*1.3);font-variant-numeric:tabular-nums;list-style:none;cursor:pointer}
.swap .price summary::-webkit-details-marker{display:none}
.swap .price summary .icon{width:16px;height:16px;transition:transform 120ms}
.swap .price[open] summary .icon{transform:rotate(180deg)}
.swap .facts{gap:6px}
.swap [data-level=high]{color:var(--warn)}
.swap [data-level=severe]{color:var(--bad)}
`
