/** Styles of the login: the e-mail field in the list of methods, the number of a device, the boxes of a code. */
export const loginCss = `
.login{margin:0}
.login .field{padding:6px 6px 6px 14px}
.login .field:dir(rtl){padding:6px 14px 6px 6px}
.login .line input{height:44px;font-size:calc(var(--u)*1.6)}
.login .line .button{min-height:44px;background:var(--button);color:var(--on-accent)}
.login .line .button:not([aria-disabled=true]):hover{filter:brightness(1.08)}
.login .line:has(:placeholder-shown,:invalid,[aria-invalid=true]) .button{background:var(--tint);color:var(--soft);filter:none}
.mailing:has(:placeholder-shown,:invalid,[aria-invalid=true]) .button.primary{background:var(--row);color:var(--soft);filter:none}
.login .fault{padding-inline:14px}
:is(.login,.mailing):dir(rtl) input{text-align:right}
.or{display:flex;align-items:center;gap:12px;margin:14px 8px;color:var(--soft);font-size:calc(var(--u)*1.3)}
.or::before,.or::after{content:"";flex:1;height:1px;background:var(--rim)}
.step{display:grid;grid-template-columns:minmax(0,1fr);gap:16px;padding:8px 8px 4px;text-align:center}
.step p{text-wrap:balance}
.step bdi{font-weight:600;overflow-wrap:anywhere}
.step .fault{display:block;text-align:center;text-wrap:balance}
.step .fault .icon{display:inline-block;vertical-align:-4px;margin-inline-end:6px}
.step .fault:empty{position:absolute}
.step .quiet{color:var(--soft)}
.step .button{justify-self:center}
.step .button[aria-disabled=true]:not([aria-busy]){opacity:.6}
.number{justify-self:center;min-width:112px;padding:12px 20px;border-radius:calc(var(--k)*5);background:var(--tint);color:var(--ink);font-size:calc(var(--u)*4);font-weight:600;line-height:1.2;letter-spacing:.08em;font-variant-numeric:tabular-nums}
.otp{position:relative;justify-self:center;width:100%;max-width:312px}
.otp input{position:absolute;inset:0;width:100%;height:100%;margin:0;padding:0;border:0;background:none;color:transparent;caret-color:transparent;font-size:16px;text-align:center;outline:none;cursor:text}
.otp input::selection{background:none}
.otp>span{display:grid;grid-template-columns:repeat(6,minmax(0,1fr));gap:8px}
.otp i{display:grid;place-items:center;height:56px;border:1px solid var(--rim);border-radius:calc(var(--k)*3);background:var(--row);font-style:normal;font-size:calc(var(--u)*2.2);font-weight:600;font-variant-numeric:tabular-nums}
.otp:focus-within .next{border-color:transparent;box-shadow:0 0 0 2px var(--focus)}
.otp.wrong i{border-color:var(--bad)}
.otp.busy i{color:var(--soft)}
.busy-line{display:flex;justify-content:center;align-items:center;gap:10px;min-height:24px;color:var(--soft)}
.room{display:grid;height:clamp(160px,var(--frame,480px),100dvh - 160px);max-height:620px;margin:0 -16px -16px}
.room ::slotted(iframe){display:block!important;visibility:visible!important;width:100%!important;height:100%!important;max-width:none!important;margin:0!important;border:0!important;opacity:1!important;transform:none!important;filter:none!important;clip-path:none!important;position:static!important;background:none!important;color-scheme:normal!important}
@media(max-width:300px){.room{margin-inline:-10px}}
`
