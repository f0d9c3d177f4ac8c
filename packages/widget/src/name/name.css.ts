/** Styles of choosing a name, and of its success. */
export const nameCss = `
.naming{display:grid;grid-template-columns:minmax(0,1fr);gap:8px}
.naming .field{display:grid;gap:4px;padding:12px 14px;border-radius:calc(var(--k)*4);background:var(--row);transition:box-shadow 120ms}
.naming .field:focus-within{box-shadow:inset 0 0 0 2px var(--focus)}
.naming .field.wrong{box-shadow:inset 0 0 0 1.5px var(--bad)}
.naming label{color:var(--soft);font-size:calc(var(--u)*1.3)}
.naming .line{display:flex;align-items:baseline;gap:2px;min-width:0}
.naming input{flex:1 1 6ch;min-width:0;height:44px;padding:0;border:0;background:none;color:var(--ink);font:inherit;font-size:calc(var(--u)*2);font-weight:600;letter-spacing:-.01em;outline:none;text-overflow:ellipsis}
.naming ::placeholder{color:var(--soft);opacity:.7}
.parent{flex:0 1 auto;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;color:var(--soft);font-size:calc(var(--u)*1.6)}
.naming .fault{display:flex;gap:6px;color:var(--bad);font-size:calc(var(--u)*1.3)}
.naming .fault:empty{display:none}
.naming .fault .icon{width:18px;height:18px}
.sample{display:flex;align-items:center;justify-self:center;gap:12px;max-width:100%;margin:8px 0;padding:10px 20px 10px 10px;border-radius:36px;background:var(--row)}
.sample:dir(rtl){padding:10px 10px 10px 20px}
.sample .avatar{flex:none;width:44px;height:44px;border-radius:22px}
.sample span{display:grid;min-width:0}
.sample bdi:first-child{font-weight:600}
.sample bdi+bdi{color:var(--soft);font-size:calc(var(--u)*1.3)}
.naming h2{margin:0;text-align:center;font-size:calc(var(--u)*2);text-wrap:balance}
.likes{display:grid;grid-template-columns:minmax(0,1fr);gap:4px;margin:0;padding:0;list-style:none}
.like{position:relative;display:flex;align-items:center;justify-content:space-between;gap:12px;width:100%;min-height:48px;padding:8px 14px;border:0;border-radius:calc(var(--k)*4);background:var(--row);color:var(--ink);font:inherit;font-weight:600;text-align:start;cursor:pointer}
.like:hover:enabled{background:var(--tint)}
.like:focus-visible{outline:2px solid var(--focus);outline-offset:-2px}
.like[aria-pressed=true]{box-shadow:inset 0 0 0 2px var(--focus)}
.like:disabled{cursor:default;color:var(--soft)}
.like .whole{display:flex;min-width:0}
.like b{flex:0 1 auto;font-weight:inherit}
.like .whole span{flex:none;white-space:nowrap}
.like small{flex:1 1 0;font-size:1em;color:var(--soft);font-weight:400}
.naming .button.lacks{color:var(--soft)}
.told{padding:6px 8px;text-align:center;text-wrap:balance;color:var(--soft)}
.told.wrong{padding:10px 14px;border-radius:calc(var(--k)*3);background:var(--bad-tint);color:var(--ink);text-align:start;overflow-wrap:anywhere}
.told q{display:block;color:var(--soft)}
.registered{display:grid;justify-items:center;gap:8px;padding-top:24px;text-align:center}
.registered h2{margin:8px 0 0;max-width:100%;font-size:calc(var(--u)*2);overflow-wrap:anywhere}
.registered p{margin:0 0 16px;color:var(--soft);text-wrap:balance}
.seal{display:grid;place-items:center;width:64px;height:64px;border-radius:32px;background:var(--good-tint,var(--tint));color:var(--good,var(--link))}
.seal .icon{width:32px;height:32px}
`
