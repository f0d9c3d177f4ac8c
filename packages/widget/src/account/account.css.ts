/** Styles of the Account view. */
export const accountCss = `
.account{display:grid;grid-template-columns:minmax(0,1fr);justify-items:start}
.head{display:grid;grid-template-columns:auto minmax(0,1fr);align-items:center;gap:2px 12px;width:100%;min-height:48px}
.head:has(.nameless){padding-top:4px}
.head:has(.nameless) .face{grid-row:1/span 2}
.head>:is(.nameless,.who){grid-column:2}
.face{position:relative}
.avatar{display:block;flex:none;width:48px;height:48px;border-radius:50%;object-fit:cover;box-shadow:inset 0 0 0 1px var(--rim)}
.by{position:absolute;inset-block-end:-3px;inset-inline-end:-3px;border-radius:9px;box-shadow:0 0 0 3px var(--base);background:var(--base)}
.by .tile{width:20px;height:20px;border-radius:7px;font-size:calc(var(--u)*1.1)}
.who{display:flex;align-items:center;min-width:0}
.nameless{justify-self:start;min-height:28px;padding:2px 10px;border:0;border-radius:16px;background:var(--tint);color:var(--link);font:inherit;font-size:calc(var(--u)*1.2);font-weight:600;cursor:pointer}
.mail{display:flex;min-width:0;max-width:100%;align-items:center}
.nameless:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
.who strong,.short{display:flex;min-width:0;font-size:calc(var(--u)*1.6);font-weight:600}
.short{padding:0;border:0;background:none;color:inherit;font-family:inherit;text-align:start;cursor:pointer}
.short:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
.who.named{flex-wrap:wrap}
.who.named strong{flex:none;width:100%}
:is(.who.named,.who:has(~.nameless)) .round{width:32px;height:32px;margin-block:-4px}
.who.named .short{font-size:calc(var(--u)*1.4);font-weight:400;color:var(--soft)}
.who .short[aria-expanded=true]{max-width:22ch;word-break:break-all;font:calc(var(--u)*1.2)/1.4 ui-monospace,monospace}
.who .icon{width:18px;height:18px}
.head>.word{width:160px}
.beside{width:100%;margin-top:12px}
.balance{display:grid;align-items:center;max-width:100%;min-height:40px;margin:10px 0 12px;font-size:min(calc(var(--u)*3.2),10vw);line-height:1.2;font-weight:600;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.balance small{font-size:1em;color:var(--soft)}
.balance span{font-size:.625em}
.balance.long{font-size:min(calc(var(--u)*2),6vw)}
.balance.long span{font-size:.8em}
.balance .bone{width:160px;height:28px;border-radius:10px}
.balance.unread{display:flex;gap:4px;font-size:calc(var(--u)*1.5);font-weight:500;letter-spacing:0;color:var(--soft)}
.balance.unread span{font-size:1em}
.balance .button{flex:none;width:auto;color:var(--link)}
.panel>.lost{margin-bottom:8px}
.panel:has(>.lost:only-child){align-content:center}
.panel>.rows~:is(.lost,[role=status]){margin:8px 0 0}
.worth{margin:-14px 0 14px;color:var(--soft);font-size:calc(var(--u)*1.5);font-weight:500;font-variant-numeric:tabular-nums}
.features{display:grid;grid-auto-flow:column;grid-auto-columns:minmax(0,1fr);gap:8px;width:100%}
.head+.features{margin-top:16px}
.beside+.features{margin-top:12px}
.features>span{display:grid}
.feature{display:flex;align-items:center;justify-content:center;gap:8px;min-height:48px;padding:8px 4px;border:0;border-radius:calc(var(--k)*4);background:var(--row);color:var(--ink);font-size:calc(var(--u)*1.5);font-weight:600;line-height:1.25;text-align:center;cursor:pointer;transition:background-color 120ms}
.feature span{min-width:0;overflow-wrap:anywhere}
.feature .icon{color:var(--link)}
.features:has(>:nth-child(3)) .feature{flex-direction:column;gap:4px;min-height:64px;font-size:calc(var(--u)*1.3)}
@media(hover:hover){.feature:hover{background:var(--row-hover)}}
.feature:active{background:var(--row-press)}
@media(forced-colors:active){.feature{border:1px solid}}
.absent{margin:12px 0 0;color:var(--soft);font-size:calc(var(--u)*1.4);line-height:1.4}
.tabs{--tabs:2;position:relative;display:grid;grid-template-columns:repeat(var(--tabs),minmax(0,1fr));width:100%;margin:12px 0 8px;padding:4px;border-radius:calc(var(--k)*4);background:var(--row)}
.tabs button{position:relative;overflow:hidden;min-height:36px;padding:0 8px;border:0;border-radius:calc(var(--k)*3);background:none;color:var(--soft);font-weight:500;white-space:nowrap;text-overflow:ellipsis;cursor:pointer;transition:color 120ms}
.tabs [aria-selected=true]{color:var(--ink)}
@media(max-width:240px){.feature,.tabs button{padding:0;gap:4px;font-size:5.6vw}}
.tabs::before{content:"";position:absolute;inset-block:4px;inset-inline-start:4px;width:calc((100% - 8px)/var(--tabs));border-radius:calc(var(--k)*3);background:var(--row-hover);box-shadow:0 1px 2px var(--shade);transition:transform 150ms ease-out}
.tabs:has(>:nth-child(3)){--tabs:3}
:host([data-theme=light]) .tabs::before{background:#fff}
.tabs[data-chosen=nfts]::before{transform:translateX(100%)}
.tabs[data-chosen=activity]::before{transform:translateX(200%)}
.tabs[data-chosen=nfts]:dir(rtl)::before{transform:translateX(-100%)}
.tabs[data-chosen=activity]:dir(rtl)::before{transform:translateX(-200%)}
.panel{display:grid;align-content:start;width:100%;min-height:148px}
.panel .medal{width:44px;height:44px;margin-bottom:8px;border-radius:calc(var(--k)*4)}
.panel .medal .icon{width:22px;height:22px}
.panel .row .medal{width:40px;height:40px;margin:0;color:var(--link)}
.panel .row .tile{border-radius:50%}
.funds{margin-top:8px}
.funds .row{width:100%}
.panel .empty{padding:12px 8px}
.panel .empty strong{font-size:calc(var(--u)*1.5)}
.panel .name{grid-template-columns:minmax(0,1fr);font-size:calc(var(--u)*1.5)}
.panel .far{border-radius:calc(var(--k)*4);background:linear-gradient(var(--row) 56px,transparent 0) 0 0/100% 64px}
.tiles{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:14px 10px;margin:4px 0 0;padding:0;list-style:none}
.nft{min-width:0;content-visibility:auto;contain-intrinsic-size:auto 200px}
.nft,.nft button{display:grid;gap:2px}
.nft button{position:relative;min-width:0;padding:0;border:0;border-radius:calc(var(--k)*4);background:none;text-align:start;cursor:pointer}
.nft button:focus-visible{outline-offset:-2px}
@media(hover:hover){.nft button:hover .tile{filter:brightness(1.06)}}
.nft .tile{width:100%;height:auto;aspect-ratio:1;border-radius:calc(var(--k)*4);font-size:calc(var(--u)*4)}
.nft .word{width:60%;margin-block:8px 20px}
.nft .clip{justify-self:start;max-width:100%}
.nft bdi.clip{margin-top:4px;font-weight:500}
.nft small{color:var(--soft)}
.nft .tag{position:absolute;inset-block-start:8px;inset-inline-end:8px;margin:0;color:#fff;background:#000000b3}
.offer{display:flex;width:100%;margin-top:8px;border-radius:16px;background:var(--row)}
.offer button{border:0;background:0 0;color:inherit;font:inherit;padding:10px 14px;min-width:44px;border-radius:16px;cursor:pointer;text-align:start}
.offer button:first-child{flex:1;display:grid;font-weight:500}
.offer small{color:var(--soft);font-weight:400}
.offer button:focus-visible{outline:2px solid var(--focus);outline-offset:-2px}
.body:has(.ends){scroll-padding-block:40px 64px}
.ends{position:sticky;inset-block-end:0;z-index:2;background:var(--card);display:flex;flex-wrap:wrap;gap:0 8px;width:100%;margin-top:12px;padding-top:8px;border-top:1px solid var(--rim);box-shadow:0 1px var(--card)}
.ends .button{flex:1 1 auto;width:auto;padding:8px}
.ends:has(>:nth-child(3)) .button{flex-direction:column;justify-content:start;gap:2px;padding-inline:2px;font-size:calc(var(--u)*1.2);text-align:center}
@media(max-width:350px){.ends .button{flex:1 1 80px;flex-direction:column;justify-content:start;gap:2px;font-size:calc(var(--u)*1.2);text-align:center}}
@media(max-width:240px){.card .ends .button{padding-inline:0}}
@media(max-height:600px){.ends{position:static}.body:has(.ends){scroll-padding-block:0}}
@media(pointer:coarse){.tabs button{min-height:44px}}
`
