/** Styles of the sign-in. */
export const siwxCss = `
.sign-in .parties{display:flex;justify-content:center;padding:8px 0 4px}
.sign-in .parties>*{width:64px;height:64px;box-shadow:0 0 0 4px var(--base)}
.sign-in .parties .tile{border-radius:18px;font-size:calc(var(--u)*2.6)}
.sign-in .parties .avatar{margin-inline-start:-10px;border-radius:50%}
.sign-in .asks{display:grid;justify-items:center;gap:4px;padding:0 8px 8px;text-align:center;overflow-wrap:anywhere}
.sign-in .asks strong{font-size:calc(var(--u)*1.8);font-weight:600;line-height:1.3;text-wrap:balance}
.sign-in .asks :is(bdi,p){color:var(--soft)}
.sign-in .asks p{max-height:140px;margin:4px 0 0;overflow-y:auto;text-wrap:pretty}
.sign-in .field{display:block}
.sign-in summary{min-height:24px;color:var(--soft);cursor:pointer}
.sign-in summary:focus-visible{outline:2px solid var(--focus);outline-offset:4px;border-radius:4px}
.sign-in pre{margin:4px 0 0;max-height:200px;overflow-y:auto;font:calc(var(--u)*1.15)/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
`
