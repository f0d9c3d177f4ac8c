/** The form of a swap, its preview, and the list of tokens. */
export const swapCss = `
.swap{--warn:#f0b45a;display:grid;gap:8px}
:host([data-theme=light]) .swap{--warn:#8a5600}
.swap.picks{display:block}
.swap .sides{position:relative;display:grid;gap:4px}
.swap .field{display:grid;gap:2px;padding:12px 14px;border-radius:calc(var(--k)*4);background:var(--row);transition:box-shadow 120ms}
.swap .field:focus-within:not(:has(button:focus)){box-shadow:inset 0 0 0 2px var(--focus)}
.swap .field.wrong{box-shadow:inset 0 0 0 1.5px var(--bad)}
.swap label,.swap .under,.swap .side small{color:var(--soft);font-size:calc(var(--u)*1.3)}
.swap .line{display:flex;align-items:center;justify-content:space-between;gap:8px;min-width:0}
.swap .big{flex:1;min-width:0;height:44px;padding:0;border:0;background:none;color:var(--ink);font:inherit;font-size:calc(var(--u)*2.6);font-weight:600;letter-spacing:-.02em;line-height:44px;font-variant-numeric:tabular-nums;outline:none;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.swap:dir(rtl) .big{text-align:right}
.swap .big.none,.swap .big::placeholder{color:var(--soft);opacity:1}
.swap .big .bone{display:inline-block;width:60%;height:24px;margin-top:10px}
.swap .coin{flex:none;display:flex;align-items:center;gap:6px;max-width:50%;min-height:40px;padding:6px 10px 6px 6px;border:0;border-radius:20px;background:var(--row);font-weight:600;cursor:pointer;transition:background-color 120ms}
.swap span.coin{padding-inline-end:12px;cursor:default}
.swap .coin.pick{padding-inline-start:14px;background:var(--button);color:var(--on-accent)}
.swap .coin:dir(rtl){padding:6px 6px 6px 10px}
.swap .coin.pick:dir(rtl){padding-inline:14px 10px}
.swap .coin .tile{width:28px;height:28px;border-radius:14px;font-size:calc(var(--u)*1.3)}
.swap .coin .icon{width:16px;height:16px}
.swap .under{min-height:32px}
.swap .under>span:first-child{flex:none;white-space:nowrap}
.swap .there{display:flex;align-items:center;gap:8px;min-width:0;text-align:end}
.swap .field .button{width:auto;min-height:32px;padding:4px 12px;border-radius:calc(var(--k)*2.5);background:var(--tint);color:var(--link)}
.swap .fault{display:flex;gap:6px;color:var(--bad);font-size:calc(var(--u)*1.3)}
.swap .fault:not(:empty){padding-bottom:12px}
.swap .fault:empty,.swap>[role=status]:empty{display:none}
.swap .fault .icon,.swap .said .icon{width:18px;height:18px}
.swap .sides>.round,.swap .sides>.medal{justify-self:center;z-index:1;width:36px;height:36px;margin:-20px 0;border-radius:12px;background:var(--pop);box-shadow:0 0 0 3px var(--base);color:var(--soft)}
.swap .sides>.round::after{content:'';position:absolute;width:44px;height:44px}
.swap .sides>:is(.round,.medal) .icon{width:18px;height:18px}
.swap .price summary{display:flex;align-items:center;justify-content:space-between;gap:8px;min-height:44px;padding:4px 14px;border-radius:calc(var(--k)*3);color:var(--soft);font-size:calc(var(--u)*1.3);font-variant-numeric:tabular-nums;list-style:none;cursor:pointer}
.swap .price summary::-webkit-details-marker{display:none}
.swap .price summary .icon{width:16px;height:16px;transition:transform 120ms}
.swap .price[open] summary .icon{transform:rotate(180deg)}
.swap .facts{display:grid;gap:10px;padding:4px 14px 10px}
.swap.preview .field{padding:8px 14px}
.swap.preview .big{height:36px;font-size:calc(var(--u)*2.2);line-height:36px}
.swap.preview .facts{gap:6px;padding:12px 14px;border-radius:calc(var(--k)*4);background:var(--row)}
.swap .facts>div{display:flex;justify-content:space-between;gap:16px}
.swap .facts dt{flex:none;color:var(--soft)}
.swap .facts dd{display:flex;flex-wrap:wrap;justify-content:end;align-items:baseline;gap:0 8px;min-width:0;text-align:end;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
.swap .facts small{color:var(--soft)}
.swap [data-level=high]{color:var(--warn)}
.swap [data-level=severe]{color:var(--bad)}
.swap .said{display:flex;justify-content:center;gap:8px;padding:6px 8px;text-align:center;text-wrap:balance;color:var(--soft)}
.swap .said:is(.wrong,.warned){justify-content:start;padding:10px 14px;border-radius:calc(var(--k)*3);background:var(--row);color:var(--ink);text-align:start}
.swap .said.wrong{background:var(--bad-tint)}
.swap .said.warned .icon{color:var(--warn)}
.swap .said.wrong .icon{color:var(--bad)}
.swap .said q{display:block;text-align:match-parent;max-height:66px;overflow:auto;color:var(--soft);overflow-wrap:anywhere}
.swap .choices{position:sticky;z-index:1;inset-block-end:0;background:var(--card);display:grid;grid-template-columns:1fr 1.6fr;gap:8px}
.swap .side{min-height:60px}
.swap .sum{display:grid;justify-items:end;margin-inline-end:8px;font-size:calc(var(--u)*1.4);font-variant-numeric:tabular-nums}
.swap .sum small{color:var(--soft)}
@media(hover:hover){.swap button.coin:hover{background:var(--row-hover)}.swap button.coin.pick:hover{background:var(--button);filter:brightness(1.08)}}
@media(pointer:coarse){.swap .field .button,.swap .coin{min-height:44px}}
`
