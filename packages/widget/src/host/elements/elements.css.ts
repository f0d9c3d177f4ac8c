/**
 * Styles of the buttons in the host's page. What is in a button takes no pointer: it may be drawn anew between press and release, as when a
 * balance comes, and a browser makes no click of a press on an element that is gone.
 */
export const elementsCss = `
:host{display:inline-block;vertical-align:middle;min-width:0;max-width:100%}
:host([hidden]){display:none}
button{
  --k:var(--apkt-border-radius-master,var(--w3m-border-radius-master,4px));
  --u:var(--apkt-font-size-master,var(--w3m-font-size-master,10px));
  --accent:var(--apkt-accent,var(--w3m-accent,#0988f0));--button:#0872ca;--on:#fff;
  --base:#1d1f23;--over:#282b30;--ink:#f4f5f6;--soft:#a9afb8;--rim:#ffffff1f;--focus:#3ea6ff
}
@supports (color:oklch(from red l c h)){
  button{--button:oklch(from var(--accent) min(l,.55 + max(0,(l - .7)*1000)) c h);--on:oklch(from var(--accent) clamp(0,(.7 - l)*1000,1) 0 0)}
}
button[data-theme=light]{--base:#fff;--over:#f1f3f5;--ink:#14171b;--soft:#5a6472;--rim:#0f172a1f;--focus:#0a66b8}
button{
  all:unset;box-sizing:border-box;display:inline-flex;align-items:center;justify-content:center;gap:8px;
  max-width:100%;min-height:40px;padding:0 16px;border:1px solid var(--rim);border-radius:calc(var(--k)*4);cursor:pointer;user-select:none;white-space:nowrap;
  background:var(--base);color:var(--ink);
  font:600 calc(var(--u)*1.5)/1.25 var(--apkt-font-family,var(--w3m-font-family,system-ui,sans-serif))
}
button *{pointer-events:none}
button:enabled:hover{background:var(--over)}
button:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
button:disabled{cursor:default;opacity:.5}
.main{white-space:normal;text-align:center;background:var(--button);border-color:transparent;color:var(--on)}
.main:enabled:hover{background:color-mix(in srgb,var(--button) 90%,#000)}
.sm{padding:0 12px;font-size:calc(var(--u)*1.4)}
.lg{min-height:48px;padding:0 20px;font-size:calc(var(--u)*1.6)}
span{max-width:min(100%,24ch);overflow:hidden;text-overflow:ellipsis}
.picture+span{max-width:min(100% - 32px,24ch)}
.with{padding-inline-start:10px;flex-wrap:wrap;overflow:hidden;height:40px;line-height:38px}
.with.lg{height:48px;line-height:46px}
.with:has(.less){padding-inline:8px}
.with .less{max-width:100%;font-size:calc(var(--u)*1.2)}
.with:has(.unseen){padding-inline:16px}
.balance{color:var(--soft);font-weight:500}
.picture{width:24px;height:24px;border-radius:50%;flex:none}
.bone{width:64px;height:12px;border-radius:6px;background:var(--rim)}
@media(prefers-reduced-motion:no-preference){button{transition:background .12s}}
@media(forced-colors:active){button{border-color:ButtonText}}
`
