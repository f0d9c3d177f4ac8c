/** Styles of the sign-in. */
export const siwxCss = `
.sign-in{display:grid;grid-template-columns:minmax(0,1fr);gap:8px}
.sign-in .parties{display:flex;justify-content:center;padding:8px 0 4px}
.sign-in .parties>*{width:64px;height:64px;box-shadow:0 0 0 4px var(--base)}
.sign-in .parties .tile{border-radius:18px;font-size:calc(var(--u)*2.6)}
.sign-in .parties .avatar{margin-inline-start:-10px;border-radius:50%}
.sign-in .asks{display:grid;justify-items:center;gap:4px;padding:0 8px 8px;text-align:center;overflow-wrap:anywhere}
.sign-in .asks strong{font-size:calc(var(--u)*1.8);font-weight:600;line-height:1.3;text-wrap:balance}
.sign-in :is(dt,summary,.phase,.asks bdi,.asks p){color:var(--soft)}
.sign-in .asks p{margin:4px 0 0;text-wrap:pretty}
.sign-in .terms{display:grid;gap:8px;padding:14px;border-radius:calc(var(--k)*4);background:var(--row)}
.sign-in .terms>div{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 16px}
.sign-in dt{flex:none;max-width:60%}
.sign-in dd{min-width:0;margin-inline-start:auto;text-align:end;overflow-wrap:anywhere}
.sign-in dd bdi[title]{white-space:nowrap}
.sign-in details{padding:12px 14px;border-radius:calc(var(--k)*4);background:var(--row)}
.sign-in summary{display:flex;align-items:center;justify-content:space-between;min-height:24px;outline:0;cursor:pointer}
.sign-in details:has(:focus-visible){outline:2px solid var(--focus)}
.sign-in pre{margin:4px 0 0;font:calc(var(--u)*1.15)/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
.sign-in .phase{padding:6px 8px;text-align:center}
.sign-in .phase:empty{position:absolute}
.sign-in .phase.wrong{display:flex;gap:8px;padding:10px 14px;border-radius:calc(var(--k)*3);background:var(--bad-tint);color:var(--ink);text-align:start}
.sign-in .wrong .icon{width:18px;height:18px;color:var(--bad)}
@media(pointer:coarse){.sign-in summary{min-height:44px;margin-block:-10px}}
`
