/** Styles of every form: fields, token buttons, facts of a price, and the final message. */
export const formCss = `
.form{--warn:#f0b45a;display:grid;grid-template-columns:minmax(0,1fr);gap:8px}
:host([data-theme=light]) .form{--warn:#8a5600}
.field{display:grid;gap:4px;padding:12px 14px;border-radius:calc(var(--k)*4);background:var(--row);transition:box-shadow 120ms}
.field:focus-within:not(:has(button:focus)){box-shadow:inset 0 0 0 2px var(--focus)}
.field.wrong{box-shadow:inset 0 0 0 1.5px var(--bad)}
.field.wrong:focus-within:not(:has(button:focus)){box-shadow:inset 0 0 0 2px var(--bad),0 0 0 3px var(--bad-tint)}
.field label,.under{color:var(--soft);font-size:calc(var(--u)*1.3)}
.line{display:flex;align-items:center;justify-content:space-between;gap:8px;min-width:0}
.field :is(input,textarea){flex:1;min-width:0;padding:0;border:0;background:none;color:var(--ink);font:inherit;outline:none;resize:none;text-overflow:ellipsis}
.line:has(textarea){align-items:start}
.field textarea~.button{margin-top:-5px}
.field ::placeholder{color:var(--soft);opacity:1}
.form .big{flex:1;min-width:0;height:44px;font-size:calc(var(--u)*2.6);font-weight:600;letter-spacing:-.02em;line-height:44px;font-variant-numeric:tabular-nums;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.fit{flex:1;min-width:0;container-type:inline-size}
.form .fit .big{display:block;width:100%;font-size:min(var(--most,calc(var(--u)*2.6)),max(calc(var(--u)*1.1),150cqi/var(--n)))}
.form .button.lacks{color:var(--soft)}
.form:dir(rtl) :is(.big,textarea){text-align:right}
.form .pill{flex:none;max-width:60%;font-weight:600}
.form .pill:has(.long){max-width:70%}
.pill .long{font-size:.75em}
.form .pill.pick{padding-inline:14px 12px;background:var(--button);color:var(--on-accent)}
.pill.pick .icon{color:inherit}
.field .button{flex:none;width:auto;min-height:32px;padding:4px 12px;border-radius:calc(var(--k)*2.5);background:var(--tint);color:var(--link)}
.fault{display:flex;gap:6px;color:var(--bad);font-size:calc(var(--u)*1.3)}
.form>.fault{padding:4px 14px}
.form [role=status]:empty{position:absolute}
.form :is(.fault,.said) .icon{width:18px;height:18px}
.sides{display:grid;gap:4px}
.sides>:is(.round,.medal){justify-self:center;z-index:1;width:36px;height:36px;margin:-20px 0;border-radius:12px;background:var(--pop);box-shadow:0 0 0 3px var(--base);color:var(--soft)}
.sides>.medal{margin:-11px 0}
.sides>.round::after{content:'';position:absolute;width:44px;height:44px}
.sides>*>.icon{width:18px;height:18px}
.facts{display:grid;grid-template-columns:minmax(0,1fr);gap:8px;padding:10px 14px}
.facts>div{display:flex;justify-content:space-between;gap:16px}
.facts dt{min-width:0;max-width:60%;overflow-wrap:break-word;color:var(--soft)}
.facts dd{display:flex;flex-wrap:wrap;justify-content:end;align-items:baseline;flex-shrink:9999;gap:0 8px;max-width:calc(100% - 80px);text-align:end;overflow-wrap:break-word;font-variant-numeric:tabular-nums}
.facts dd *{overflow-wrap:inherit}
.facts dd>*{min-width:0;max-width:100%}
.facts small{color:var(--soft);font-weight:400}
.said{display:flex;justify-content:center;gap:8px;padding:6px 8px;text-align:center;text-wrap:balance;color:var(--soft)}
.said:is(.wrong,.warned){justify-content:start;padding:10px 14px;border-radius:calc(var(--k)*3);background:var(--row);color:var(--ink);text-align:start}
.said.wrong{background:var(--bad-tint)}
.said.warned .icon{color:var(--warn)}
.said.wrong .icon{color:var(--bad)}
@media(pointer:coarse){.field .button{min-height:44px}.field textarea~.button{margin-top:-11px}}
`
