/**
 * Styles of the first frame: overlay, card, header and the skeleton of a list. The full style sheet contains these rules, so that the modal
 * appears exactly where the curtain was.
 */
export const curtainCss = `
:host{
  --k:var(--apkt-border-radius-master,4px);--u:var(--apkt-font-size-master,10px);
  --base:#17181b;--ink:#f4f5f6;--row:#ffffff0d;--rim:#ffffff17;--veil:#000000a3;
  font-family:var(--apkt-font-family,system-ui,-apple-system,sans-serif)
}
:host([data-theme=light]){--base:#fff;--ink:#14171b;--row:#0f172a0b;--rim:#0f172a14;--veil:#0f172a70}
*{box-sizing:border-box}
dialog{all:unset;position:fixed;inset:0;display:grid;place-items:center;background:var(--veil);color:var(--ink)}
dialog:not([open]){display:none}
dialog::backdrop{background:0}
.card{display:flex;flex-direction:column;overflow:hidden;width:360px;max-width:100%;max-height:min(720px,100% - 32px);border:1px solid var(--rim);border-radius:calc(var(--k)*7);background:var(--base)}
.header{flex:none;display:flex;align-items:center;justify-content:center;height:64px}
.title{margin:0;font-size:calc(var(--u)*1.6);line-height:1.5;font-weight:600}
.view{padding:0 16px 16px}
.rows{display:grid;gap:8px;margin:0;padding:0;list-style:none}
.row{display:flex;align-items:center;gap:12px;width:100%;min-height:56px;padding:8px;border-radius:calc(var(--k)*4);background:var(--row)}
.tile{flex:none;width:40px;height:40px;border-radius:calc(var(--k)*2.5)}
.word{width:112px;height:14px;border-radius:7px}
.bone{background:var(--rim)}
@media(max-width:429px){
dialog{place-items:end stretch}
.header{padding-top:8px}
.card{width:auto;max-height:calc(100% - 48px);border-end-start-radius:0;border-end-end-radius:0;padding-bottom:env(safe-area-inset-bottom)}
}`

/** Styles of the curtain alone: the full style sheet has its own rules for these elements. */
export const curtainOwnCss = `
.close{all:unset;position:absolute;inset-block-start:12px;inset-inline-end:12px;display:grid;place-items:center;width:40px;height:40px;border-radius:12px;cursor:pointer}
.header{position:relative}
button.row{border:0;color:inherit;font:inherit;font-size:calc(var(--u)*1.5);font-weight:500;text-align:start;cursor:pointer}
.close:hover,li>.row:enabled:hover,li[aria-busy]>.row{background:var(--rim)}
button.row:disabled{cursor:default}
.row.again{justify-content:center;background:var(--ink);color:var(--base)}
.remote{background:var(--apkt-accent,#0872ca)}
:focus-visible{outline:2px solid;outline-offset:2px}
.says{margin:0;padding:0 8px 16px;text-align:center}
.says b{display:block}
.says b::before{content:"!";display:grid;place-items:center;width:40px;height:40px;margin:0 auto 8px;border-radius:12px;background:var(--rim)}
`
