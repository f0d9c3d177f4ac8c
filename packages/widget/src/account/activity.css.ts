/** Styles of the transaction history. */
export const activityCss = `
.way{margin-bottom:-2px}
.way .name{overflow-wrap:anywhere}
.deed>.row{width:100%}
.deed .tile{border-radius:50%}
.deed.quiet :is(.label,.sum){color:var(--soft)}
.deed.quiet .pair{filter:grayscale(1)}
.label{display:flex;flex-wrap:wrap;align-items:center;gap:0 6px;overflow-wrap:anywhere}
.label .tag{margin:0;padding:1px 6px;font-size:calc(var(--u)*1.1)}
.when{display:flex;flex-wrap:wrap;gap:0 4px;min-width:0}
.when>*{white-space:nowrap}
.when time{flex:none}
@media(min-width:301px){.lone .when,.when:not(:has(.hex)){flex-wrap:nowrap}}
.when .clip{display:flex;gap:4px}
.when bdi{min-width:0;overflow:hidden;text-overflow:ellipsis}
@media(max-width:350px){.row:not(.lone):has(.sum) .hex{display:none}}
.deed .sum{display:grid;justify-items:end;max-width:48%;font-size:calc(var(--u)*1.3)}
.lone{display:grid;grid-template-columns:auto minmax(0,1fr) fit-content(50%);align-items:center;row-gap:0}
.lone>:first-child{grid-row:1/3}
.lone>.name{display:contents}
.lone :is(.label,.sum){align-self:end;max-width:none}
.lone .when{grid-area:2/2/3/4;align-self:start}
.lone .sum{grid-area:1/3}
@media(max-width:240px){
.deed>.row{display:grid;grid-template-columns:auto minmax(0,1fr)}
.deed>.row .sum{grid-column:2;justify-items:start;max-width:none;text-align:start}
.deed>.lone .when{grid-area:2/2}
.deed>.lone .sum{grid-row:3}
}
.month h2{position:sticky;inset-block-start:0;z-index:1;margin:0;padding:10px 8px 6px;background:var(--card);font-size:calc(var(--u)*1.3);font-weight:500;color:var(--soft)}
.part{padding:16px 8px;text-align:center;color:var(--soft);font-size:calc(var(--u)*1.3)}
.part strong{font-weight:500}
.all{position:relative;z-index:2;display:flex;justify-content:flex-end;height:36px;margin-bottom:-36px;pointer-events:none}
.all button{padding:0 8px;border:0;border-radius:calc(var(--k)*2);background:none;color:var(--link);font-size:calc(var(--u)*1.3);font-weight:500;cursor:pointer;pointer-events:auto}
`
