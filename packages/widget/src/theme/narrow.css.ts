/**
 * Styles of windows that are smaller than those of visitors who do not zoom. In narrow ones a name beside a tag may take two lines; in
 * narrower ones words may break anywhere, and rows wrap. In low ones the lower edge fades until the end of the view is in sight; the fade
 * follows the scroll position, so it also runs where motion is reduced. In very low ones the account's head is lower, so that the first token
 * is in sight.
 */
export const narrowCss = `
@media(max-width:340px){
.card .row:has(>.tag) .name bdi{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;white-space:normal;overflow-wrap:break-word}
}
@media(max-width:300px){
.card{overflow-wrap:anywhere}
.card .facts :is(dt,dd){min-width:0;overflow-wrap:anywhere}
.view{padding-inline:10px}
.card .detail dl>div{flex-wrap:wrap;column-gap:4px;row-gap:0}
.card .detail dl>div:not(.whole)>dd{max-width:100%;margin-inline-start:auto;overflow-wrap:break-word}
.card .detail dd .sized{overflow-wrap:break-word}
.card .detail .whole dt{grid-column:1/-1;max-width:100%}
.card .detail .whole .round{grid-row:2}
.view .room{margin-inline:-10px}
.card .name :is(bdi,.clip),.body :is(.pill,.when,.label){white-space:normal}
.card :is(.row,.line,.sides>*,.facts>div,.form .line){flex-wrap:wrap}
.card :is(.line,.facts>div)>*{max-width:100%}
.card .button{padding-inline:8px}
.card .tag{flex:0 1 auto;min-width:0;white-space:normal}
.card .name{flex-basis:64px}
.card .row>.sum{max-width:100%;margin-inline-start:auto}
.card .sum .sized:not(.tighter){overflow-wrap:normal}
.body :is(.pill,.button) .clip{white-space:normal}
.card :is(.button>span,.cell bdi){overflow-wrap:anywhere}
.card .grid{grid-template-columns:repeat(2,minmax(0,1fr))}
.card :is(.fit,.form .big){flex-basis:min(100%,128px)}
.form .fit .big{font-size:min(var(--most,calc(var(--u)*2.6)),max(calc(var(--u)*.7),150cqi/var(--n)))}
.card .swap .there{justify-content:space-between;width:100%;text-align:start}
.card .swap .there .clip{white-space:normal}
.card .slip summary bdi{white-space:nowrap}
.card .swap .choose{grid-template-columns:repeat(3,minmax(0,1fr))}
.card .choose label{grid-column:1/-1}
.card .review .party>.avatar{grid-area:1/2;width:20px;height:20px}
.card .party>:is(.copies,.full){grid-column:1/-1}
.card .party strong{font-size:min(1em,6vw)}
.body .pill{height:auto;min-height:40px;max-width:100%}
.body .pills{max-width:100%}
.body .rows{grid-template-columns:minmax(0,1fr)}
.body .features{grid-auto-flow:row;grid-template-columns:repeat(2,minmax(0,1fr))}
.body .balance{grid-template-columns:minmax(0,1fr)}
.body .bone{max-width:100%}
.body .word{flex:1 1 24px;min-width:0}
.body .sides>:is(.round,.medal){margin:0}
}
@media(max-width:240px){
.card :is(.button,.name,.facts){font-size:min(calc(var(--u)*1.4),7vw)}
.card .button{gap:6px;padding-inline:4px}
.card :is(.party,.payee,.contract,.hints) .full{font-size:min(calc(var(--u)*1.2),5.6vw)}
.card .review .amount:not(.long){font-size:min(calc(var(--u)*3.2),9.2vw)}
.card :is(.sent,.warn) .full{max-width:14ch}
.card :is(.lost,.like){flex-wrap:wrap}
.card .lost>span{flex-basis:100%}
.card :is(.snacks,.alert){margin-inline:6px}
:is(.card,.over-page) .alert>.icon{display:none}
.card .row{gap:8px;padding-inline:8px}
.card .alert,.card .snack{max-width:100%}
:is(.card,.over-page) :is(.snack,.alert){gap:6px;font-size:min(calc(var(--u)*1.4),5.6vw);overflow-wrap:anywhere}
.card .search{gap:6px;padding-inline:10px}
.card .search input{font-size:min(1em,6.8vw)}
.account .balance.unread{flex-wrap:wrap;font-size:min(calc(var(--u)*1.5),6.8vw);overflow-wrap:break-word}
.card .header{gap:4px;height:auto;min-height:64px;padding-inline:4px}
.card .header .pill{height:auto;min-height:40px;gap:4px;padding-inline:6px 8px}
.card .header .pill .tile{width:18px;height:18px}
.card .header .pill .icon{display:none}
.card .header .pill .clip{font-size:min(calc(var(--u)*1.4),5.4vw);line-height:1.2;white-space:normal}
.account .head{column-gap:8px}
.account :is(.avatar,.face .bone){width:32px;height:32px}
.account .by .tile{width:14px;height:14px;border-radius:5px}
.account .who .round{width:32px;height:32px;margin-inline-end:-10px}
.account .who .short{font-size:min(calc(var(--u)*1.6),5.2vw)}
.card .hero strong{font-size:min(calc(var(--u)*2.4),9vw);overflow-wrap:break-word}
.card .hero strong.long{font-size:min(calc(var(--u)*1.7),7vw)}
.card .under{font-size:min(calc(var(--u)*1.3),6vw)}
.card .title{font-size:min(calc(var(--u)*1.6),6vw);line-height:1.25;text-align:center;text-wrap:balance;white-space:normal}
.naming .sample{gap:8px;padding-inline:6px}
.naming .sample .avatar{width:28px;height:28px}
.naming .sample bdi{font-size:min(calc(var(--u)*1.3),6vw)}
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
