/**
 * Styles of windows that are smaller than those of visitors who do not zoom. In narrow ones words may break anywhere, and rows wrap. In low
 * ones the lower edge fades until the end of the view is in sight; the fade follows the scroll position, so it also runs where motion is
 * reduced. In very low ones the account's head is lower, so that the first token is in sight.
 */
export const narrowCss = `
@media(max-width:300px){
.card{overflow-wrap:anywhere}
.card .facts dt{min-width:0;overflow-wrap:anywhere}
.view{padding-inline:10px}
.view .room{margin-inline:-10px}
.card .name :is(bdi,.clip),.body :is(.pill,.when,.label){white-space:normal}
.card :is(.row,.line,.sides>*,.facts>div,.form .line){flex-wrap:wrap}
.card :is(.line,.facts>div)>*{max-width:100%}
.card .button{padding-inline:8px}
.card .tag{flex:0 1 auto;min-width:0;white-space:normal}
.card .name{flex-basis:64px}
.body :is(.pill,.button) .clip{white-space:normal}
.card :is(.button>span,.cell bdi){overflow-wrap:anywhere}
.card .grid{grid-template-columns:repeat(2,minmax(0,1fr))}
.card .form .big{flex-basis:96px}
.body .pill{height:auto;min-height:40px;max-width:100%}
.body .pills{max-width:100%}
.body .rows{grid-template-columns:minmax(0,1fr)}
.body .features{grid-auto-flow:row;grid-template-columns:repeat(2,minmax(0,1fr))}
.body .balance{grid-template-columns:minmax(0,1fr)}
.body .bone{max-width:100%}
.body .word{flex:1 1 24px;min-width:0}
.body .sides>.round{margin:0}
}
@media(max-height:600px){
.body::after{content:"";position:sticky;z-index:1;inset-block-end:0;display:block;height:32px;margin-top:-32px;pointer-events:none;opacity:0;background:linear-gradient(transparent,var(--card));animation:rest linear both!important;animation-timeline:scroll()!important;animation-range:calc(100% - 48px) 100%!important}
@keyframes rest{from{opacity:1}}
}
@media(max-height:420px) and (min-width:320px){
.account:has(>.balance:not(.long)+.worth){grid-template-columns:minmax(0,auto) minmax(0,1fr);align-items:baseline;column-gap:8px}
.account>*{grid-column:1/-1}
.account>.balance:not(.long):has(+.worth){grid-column:1}
.account>.balance:not(.long)+.worth{grid-column:2;justify-self:end;margin:0;font-size:calc(var(--u)*1.3);text-align:end}
.account>.head{min-height:40px}
.account .avatar{width:40px;height:40px}
.account>.balance:not(.unread){min-height:0;margin:6px 0;font-size:calc(var(--u)*1.9)}
.account .features .feature{min-height:40px;padding-block:4px}
.account .features:has(>:nth-child(3)) .feature{min-height:52px;gap:0}
.account .tabs{margin-block:8px 4px}
}
`
