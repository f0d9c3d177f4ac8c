/** Styles that buying adds to the forms: providers, lists, the purchase. */
export const onrampCss = `
.row[data-testid^=onramp-token] .tile{border-radius:50%}
.buy{display:grid;grid-template-columns:minmax(0,1fr);gap:16px}
.deal .soft{color:var(--soft);font-size:calc(var(--u)*1.3)}
.deal .field.line{display:flex;min-height:60px}
.deal .pills{display:flex;flex-wrap:wrap;justify-content:end;gap:8px;min-width:0;max-width:70%}
.deal .pills .pill{max-width:100%}
.where{margin:0;padding:0 14px;text-wrap:pretty}
.where:empty{display:none}
.deal .word{width:72px;height:16px}
.buy .price{min-width:0;max-width:60%;overflow:hidden;white-space:nowrap;text-overflow:ellipsis;margin-inline-end:8px;font-weight:600;font-variant-numeric:tabular-nums}
.buy .row>.word{flex:none;width:84px;margin-inline-end:8px}
.buy .row[data-testid^=onramp-provider]{flex-wrap:wrap}
.buy .row[data-testid^=onramp-provider] .name{flex:1 1 0;min-width:7em}
.buy .row[data-testid^=onramp-provider] .price{max-width:100%;margin-inline-start:auto}
.buy .name small{display:grid;grid-template-columns:minmax(0,1fr);overflow-wrap:anywhere}
.money .icon{width:22px;height:22px}
.halo .money .icon{width:40px;height:40px}
.money.flag{background:var(--row);font-size:calc(var(--u)*2)}
.money{background:var(--tint);color:var(--link);font-weight:600;font-size:calc(var(--u)*1.3)}
.buying{display:grid;gap:12px}
.buying.done .halo .ring{stroke-dasharray:none;animation:none}
`
