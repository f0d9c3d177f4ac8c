/** Styles of windows that are narrower than any phone's, as those of a phone whose visitor zooms: words may break anywhere, rows wrap. */
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
`
