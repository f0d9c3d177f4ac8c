/** Base styles: colours, fonts and the components of every view. They build on the curtain's rules. */
export const baseCss = `
:host{
  --accent:var(--apkt-accent,#0988f0);
  --on-accent:#fff;--button:#0872ca;--link:#3ea6ff;--focus:#3ea6ff;--tint:#0988f024;
  --soft:#a0a5ac;--row-hover:#ffffff17;--row-press:#ffffff21;--field:#1f2124;--pop:#24262a;
  --good:#4cc38a;--good-tint:#4cc38a21;--bad:#ff8b82;--bad-tint:#ff6b6124;--shade:#00000052;
  color-scheme:dark
}
:host([data-theme=light]){
  --link:#0a66b8;--focus:#0a66b8;--tint:#0988f01a;
  --soft:#59616b;--row-hover:#0f172a14;--row-press:#0f172a1f;--field:#f3f4f6;--pop:#fff;
  --good:#0e6b3d;--good-tint:#0e6b3d1a;--bad:#c0271d;--bad-tint:#c0271d14;--shade:#0f172a24;
  color-scheme:light
}
@supports (color:oklch(from red l c h)){
  :host{
    --button:oklch(from var(--accent) clamp(.4,l,.55 + max(0,(l - .7)*1000)) c h);
    --on-accent:oklch(from var(--accent) clamp(0,(.7 - l)*1000,1) 0 0);
    --link:oklch(from var(--accent) max(l,.7) c h);--focus:var(--link);
    --tint:oklch(from var(--accent) l c h/.15)
  }
  :host([data-theme=light]){--button:oklch(from var(--accent) min(l,.55 + clamp(0,(l - .7)*1000,.37)) c h);--link:oklch(from var(--accent) min(l,.5) c h);--focus:var(--link);--tint:oklch(from var(--accent) l c h/.1)}
}
::before,::after{box-sizing:border-box}
dialog{opacity:0;transition:opacity 150ms ease-out,display 150ms allow-discrete,overlay 150ms allow-discrete}
dialog[open]{opacity:1}
dialog .card{transform:translateY(12px) scale(.98);transition:transform 150ms ease-out;box-shadow:0 24px 64px var(--shade),inset 0 1px 0 var(--row)}
dialog[open] .card{transform:none}
.steady .card{transition:none!important}
@starting-style{
  dialog[open]{opacity:.6}
  dialog[open] .card{transform:translateY(12px) scale(.98)}
}
.mount{display:contents}
.mount.embedded{display:block;color:var(--ink);font-size:calc(var(--u)*1.4)}
.embedded .card{box-shadow:none}
.card{--card:color-mix(in srgb,var(--apkt-color-mix,#000) calc(var(--apkt-color-mix-strength,0)*1%),var(--base));position:relative;background:var(--card);font-size:calc(var(--u)*1.4);line-height:1.45;-webkit-font-smoothing:antialiased;-webkit-text-size-adjust:100%}
.card.shaking{animation:shake 500ms}
.header{gap:8px;padding-inline:12px}
.slot{flex:1 0 40px;display:flex}
.slot:last-child{justify-content:flex-end}
.title{min-width:0;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
.body{flex:0 1 auto;min-height:0;overflow:hidden auto;overscroll-behavior:contain;scrollbar-width:thin;scrollbar-color:var(--row-press) transparent}
.view{animation:fade 120ms ease-out backwards}
.view:not(.forward,.backward){animation:none}
.forward{--from:12px}
.backward{--from:-12px}
:dir(rtl).forward{--from:-12px}
:dir(rtl).backward{--from:12px}
p,dl,dd,figure,blockquote{margin:0}
strong{font-weight:600}
small{font-size:calc(var(--u)*1.2)}
a{color:var(--link)}
bdi{overflow-wrap:anywhere}
.name bdi{justify-self:start;max-inline-size:100%}
.clip,.name bdi{min-width:0;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
.unseen{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.icon{flex:none;width:20px;height:20px;fill:none;stroke:currentcolor;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}
.turns:dir(rtl){transform:scaleX(-1)}
button{font:inherit;color:inherit}
button,a{-webkit-tap-highlight-color:transparent;touch-action:manipulation}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
.title:focus{outline:0}
.row:focus-visible{outline-offset:-2px}
button.row,a.row{border:0;color:inherit;text-align:start;text-decoration:none;cursor:pointer;transition:background-color 120ms}
.row>.icon{margin-inline-end:8px;color:var(--soft)}
.tile{display:grid;place-items:center;object-fit:cover;user-select:none}
img.tile{box-shadow:0 0 0 1px var(--rim)}
.remote{color:#fff;background:var(--button);color:var(--on-accent)}
.letter{font-weight:600;font-size:calc(var(--u)*1.7);color:#fff;background:#5b6bd6}
.letter[data-tint="1"]{background:#0b7d84}
.letter[data-tint="2"]{background:#a4508b}
.letter[data-tint="3"]{background:#a65a12}
.letter[data-tint="4"]{background:#3f7d3a}
.letter[data-tint="5"]{background:#7a5bc9}
.name{flex:1;min-width:0;display:grid;grid-template-columns:minmax(0,1fr);font-size:calc(var(--u)*1.5);font-weight:500}
.name small{color:var(--soft);font-weight:400}
.tag{flex:none;padding:2px 8px;margin-inline-end:8px;border-radius:calc(var(--k)*1.5);font-size:calc(var(--u)*1.2);font-weight:500;color:var(--soft);background:var(--row)}
.tag.good{color:var(--good);background:var(--good-tint)}
.tag.accent{color:var(--link);background:var(--tint)}
.mark{display:flex;margin-inline-end:8px;color:var(--link)}
.round,.pill{display:inline-flex;align-items:center;justify-content:center;gap:8px;height:40px;border:0;cursor:pointer;transition:background-color 120ms}
.round{flex:none;width:40px;padding:0;border-radius:calc(var(--k)*3);color:var(--soft);background:none}
.pill{min-width:0;padding:0;padding-inline:8px 12px;border-radius:20px;background:var(--row);font-weight:500}
.pill .tile{width:24px;height:24px;border-radius:12px;font-size:calc(var(--u)*1.2)}
.pill .icon{width:16px;height:16px;color:var(--soft)}
.button{display:flex;align-items:center;justify-content:center;gap:8px;width:100%;min-height:48px;padding:8px 16px;border:0;border-radius:calc(var(--k)*4);background:var(--row);font-size:calc(var(--u)*1.5);font-weight:600;text-decoration:none;color:var(--ink);cursor:pointer;transition:background-color 120ms,color 120ms,filter 120ms}
.button.primary{background:var(--button);color:var(--on-accent)}
.button.plain{background:none;color:var(--soft);font-size:calc(var(--u)*1.4);font-weight:500;min-height:40px}
.button .icon{width:18px;height:18px}
.button>span{min-width:0;overflow-wrap:break-word}
[aria-disabled=true]{cursor:default}
:disabled{cursor:default;opacity:.5}
@media(hover:hover){
  :is(button,a).row:enabled:hover,a.row:hover,.pill:enabled:hover,.button.soft:hover{background:var(--row-hover)}
  .round:hover,.button.plain:enabled:hover,a.button.plain:hover{background:var(--row);color:var(--ink)}
  .button.primary:hover{filter:brightness(1.08)}
}
:is(button,a).row:enabled:active,a.row:active,.pill:enabled:active,.button.soft:active{background:var(--row-press)}
.button.primary:active{filter:brightness(.94)}
.spinner{flex:none;width:18px;height:18px;border:2px solid;border-inline-end-color:transparent;border-radius:50%;animation:turn 700ms linear infinite}
.bone{animation:pulse 1.5s ease-in-out infinite}
.empty{display:grid;justify-items:center;gap:4px;padding:20px 8px 8px;text-align:center}
.empty p,.lesson dd,.waiting p{color:var(--soft);text-wrap:balance}
.empty strong,.waiting strong{font-size:calc(var(--u)*1.6);text-wrap:balance}
.empty .button{margin-top:20px}
.medal{flex:none;display:grid;place-items:center;width:56px;height:56px;margin-bottom:12px;border-radius:calc(var(--k)*5);background:var(--row);color:var(--soft)}
.medal .icon{width:28px;height:28px}
.row .medal{width:40px;height:40px;margin:0;border-radius:calc(var(--k)*2.5)}
.row .medal .icon{width:22px;height:22px}
.lesson{display:grid;gap:20px;padding:8px 8px 12px}
.lesson>div{display:grid;grid-template-columns:auto 1fr;column-gap:16px;row-gap:2px}
.lesson dt{display:contents;font-weight:600;font-size:calc(var(--u)*1.5)}
.lesson dd{grid-column:2;text-wrap:pretty}
.lesson .medal{grid-row:span 2;width:48px;height:48px;margin:0;color:var(--link);background:var(--tint);border-radius:calc(var(--k)*4)}
.lesson .icon{width:24px;height:24px}
.waiting{display:grid;justify-items:center;gap:24px;padding-top:20px;text-align:center}
.waiting [role=status]{display:grid;gap:4px;width:100%;padding:0 8px 12px}
.halo{position:relative;display:grid;place-items:center;width:104px;height:104px}
.halo .tile{width:80px;height:80px;border-radius:20px;font-size:calc(var(--u)*3.4)}
.halo::before{content:"";position:absolute;inset:.5px;border:3px solid var(--rim);border-radius:31.5px}
.ring{position:absolute;inset:0;fill:none;stroke-width:3;stroke-linecap:round}
.waiting:not(.wrong) .ring{stroke:var(--link);stroke-dasharray:22 78;animation:orbit 1.6s linear infinite}
.waiting.slow .ring{animation-duration:3.2s}
.wrong .ring{stroke:var(--bad)}
.badge{position:absolute;inset-block-end:-4px;inset-inline-end:-4px;display:grid;place-items:center;width:32px;height:32px;border-radius:50%;background:var(--bad);color:var(--base);box-shadow:0 0 0 4px var(--base)}
.badge .icon{width:18px;height:18px;stroke-width:2.2}
figure{margin:12px -8px 0;padding:10px 14px;border-radius:calc(var(--k)*3);background:var(--bad-tint);text-align:start}
figcaption{color:var(--soft);font-size:calc(var(--u)*1.2)}
q:dir(ltr){quotes:'“' '”'}
blockquote{max-height:88px;overflow:auto;overflow-wrap:anywhere}
.foot{margin-top:8px}
.legal{padding:14px 8px 2px;text-align:center;font-size:calc(var(--u)*1.2);color:var(--soft)}
.alert{display:flex;align-items:flex-start;gap:10px;margin:0 16px 12px;padding:12px;padding-inline-end:4px;border-radius:calc(var(--k)*4);background:var(--bad-tint)}
.card:has(.missing) .homeUnavailable{display:none}
.alert>.icon{color:var(--bad)}
.alert>div{flex:1;min-width:0}
.alert code{display:block;margin-top:4px;font:calc(var(--u)*1.2)/1.4 ui-monospace,monospace;overflow-wrap:anywhere;color:var(--soft)}
.alert .round{margin-block:-8px}
.over-page{all:unset;z-index:2147483647;position:fixed;inset:auto 0 env(safe-area-inset-bottom);display:grid;justify-items:start;pointer-events:none;font-size:calc(var(--u)*1.4);line-height:1.4;color:var(--ink)}
.snacks{flex:none;display:grid;justify-items:center;margin-inline:16px;pointer-events:none}
@media(min-width:430px) and (min-height:780px){.card>.snacks{position:fixed;z-index:2;inset:16px 0 auto}}
.snack,.over-page .alert{max-width:min(360px,100vw - 32px);border:1px solid var(--rim);box-shadow:0 8px 24px var(--shade);pointer-events:auto;animation:drop 150ms ease-out}
.alert summary{display:flex;gap:6px;font-weight:600;cursor:pointer}
summary::-webkit-details-marker{display:none}
summary .icon{width:18px;height:18px;color:var(--soft);transition:transform 120ms}
[open]>summary .icon{transform:rotate(180deg)}
.over-page .alert{background:linear-gradient(var(--bad-tint) 0 0) var(--pop)}
.snack{display:flex;margin-bottom:12px;align-items:center;gap:10px;min-height:44px;padding:1px;padding-inline-start:12px;border-radius:22px;background:var(--pop);font-weight:500}
.snack>:nth-child(2){padding-block:8px}
.snack .round{border-radius:22px}
.snack>:first-child{color:var(--link)}
.snack.success>:first-child{color:var(--good)}
.snack.error>:first-child{color:var(--bad)}
@keyframes fade{from{opacity:0;transform:translateX(var(--from))}}
@keyframes drop{from{opacity:0;transform:translateY(-12px)}}
@keyframes turn{to{transform:rotate(1turn)}}
@keyframes orbit{to{stroke-dashoffset:-100}}
@keyframes pulse{50%{opacity:.45}}
@keyframes shake{20%,60%{transform:translateX(-8px)}40%,80%{transform:translateX(8px)}}
@media(max-width:429px){
  dialog .card{transform:translateY(100%)}
  @starting-style{dialog[open] .card{transform:translateY(100%)}}
  dialog .card::before{content:"";position:absolute;pointer-events:none;inset:8px 0 auto;width:36px;height:4px;margin:auto;border-radius:2px;background:var(--row-press)}
  .embedded .card{border-radius:calc(var(--k)*7)}
  dialog .header{touch-action:none}
}
@media(pointer:coarse){.remote~.quiet{display:none}.round{width:44px;height:44px}.slot{flex-basis:44px}.pill,.button.plain{min-height:44px}}
@media(prefers-reduced-motion:reduce){*,::before,::after,dialog{animation:none!important;transition:none!important}}
@media(forced-colors:active){
  .card,.row,.button,.round,.pill,.field,.snack,.alert,.tag,.search{border:1px solid}
  .ring{stroke:CanvasText}
  .bone{background:GrayText}
  [aria-selected=true]{outline:2px solid Highlight}
  .letter,.avatar{forced-color-adjust:none}
}`
