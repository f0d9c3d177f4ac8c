export const DIALOG_STYLE = `
:host { all: initial; }
dialog {
  --ground: #ffffff; --raised: #f4f4f7; --line: #e2e2ea; --ink: #17171f; --soft: #5d5d6d; --warn-ground: #fff1dc; --warn: #7a4300;
  box-sizing: border-box; position: fixed; inset: 16px 16px auto auto; margin: 0; padding: 0;
  width: min(360px, calc(100vw - 32px)); max-height: calc(100dvh - 32px); overflow: hidden;
  display: none; flex-direction: column;
  font: 14px/1.45 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; color: var(--ink);
  background: var(--ground); border: 1px solid var(--line); border-radius: 14px;
  box-shadow: 0 18px 50px rgb(0 0 0 / .28), 0 2px 8px rgb(0 0 0 / .14);
}
dialog[open] { display: flex; }
dialog:focus { outline: none; }
dialog::backdrop { background: rgb(0 0 0 / .12); }
*, *::before { box-sizing: border-box; }
header { display: flex; align-items: center; gap: 10px; padding: 12px 14px; border-bottom: 1px solid var(--line); }
header img { width: 32px; height: 32px; border-radius: 8px; flex: none; }
header strong { display: block; font-size: 14px; line-height: 1.2; }
header small { display: block; font-size: 12px; color: var(--soft); }
main { padding: 16px 14px; overflow: auto; overflow-wrap: anywhere; }
.origin { display: inline-block; max-width: 100%; margin: 0 0 10px; padding: 3px 10px; border: 1px solid var(--line); border-radius: 999px; font-size: 12px; color: var(--soft); }
h2 { margin: 0 0 4px; font-size: 18px; line-height: 1.25; font-weight: 650; }
p { margin: 0 0 12px; color: var(--soft); }
dl { margin: 0; border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
dl div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 16px; padding: 8px 12px; }
dl div + div { border-top: 1px solid var(--line); }
dt { color: var(--soft); flex: none; }
dd { margin: 0 0 0 auto; text-align: end; font-weight: 550; min-width: 0; overflow-wrap: break-word; }
dd.hex { max-width: 22ch; word-break: break-all; font: 12px/1.6 ui-monospace, SFMono-Regular, Menlo, monospace; }
pre { margin: 12px 0 0; padding: 10px 12px; max-height: 180px; overflow: auto; white-space: pre-wrap; background: var(--raised); border-radius: 10px; font: 12px/1.5 ui-monospace, SFMono-Regular, Menlo, monospace; }
.warning { margin: 12px 0 0; padding: 8px 12px; border-radius: 10px; background: var(--warn-ground); color: var(--warn); }
fieldset { margin: 0; padding: 0; border: 0; display: grid; gap: 6px; }
legend { padding: 0; margin-bottom: 6px; color: var(--soft); }
label { display: flex; align-items: center; gap: 10px; padding: 9px 12px; border: 1px solid var(--line); border-radius: 10px; cursor: pointer; }
label:has(:checked) { border-color: var(--brand); background: var(--raised); }
label code { font: 12px/1.4 ui-monospace, SFMono-Regular, Menlo, monospace; color: var(--soft); display: block; }
input { accent-color: var(--brand); margin: 0; flex: none; width: 16px; height: 16px; }
footer { display: flex; gap: 10px; padding: 12px 14px 14px; border-top: 1px solid var(--line); }
button { flex: 1; min-height: 42px; border-radius: 10px; border: 1px solid var(--line); font: inherit; font-weight: 600; color: inherit; background: var(--raised); cursor: pointer; }
button.approve { color: #fff; background: var(--brand); border-color: transparent; }
button:hover { filter: brightness(1.08); }
button:focus-visible, label:focus-within { outline: 2px solid var(--ink); outline-offset: 2px; }
@media (prefers-color-scheme: dark) {
  dialog { --ground: #1b1b22; --raised: #272730; --line: #383843; --ink: #f3f3f7; --soft: #a9a9b8; --warn-ground: #3d2b10; --warn: #ffcf8f; color-scheme: dark; }
}
@media (max-width: 300px) {
  dialog { inset: 8px 8px auto; width: auto; }
  footer { flex-wrap: wrap; }
  dt { flex: 0 1 auto; }
  button { flex: 1 1 100%; }
}
@media (forced-colors: active) { label:has(:checked) { outline: 2px solid Highlight; } }
`
