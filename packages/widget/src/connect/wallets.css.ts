/** Styles of the wallet grid and of the install links. */
export const walletsCss = `
.grid{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));gap:8px 4px;margin:0;padding:0;list-style:none}
.cell{display:grid;justify-items:center;align-content:start;gap:6px;width:100%;min-height:88px;padding:10px 0 8px;border:0;border-radius:calc(var(--k)*4);background:none;color:inherit;font-size:calc(var(--u)*1.2);text-align:center;cursor:pointer;transition:background-color 120ms}
.cell .tile{width:48px;height:48px;border-radius:calc(var(--k)*3)}
.cell .word{width:70%}
.cell bdi{display:-webkit-box;max-width:100%;overflow:hidden;overflow-wrap:normal;text-overflow:ellipsis;line-height:1.3;-webkit-box-orient:vertical;-webkit-line-clamp:2;line-clamp:2}
.cell[data-installed] .tile{box-shadow:0 0 0 2px var(--good)}
@media(hover:hover){button.cell:hover{background:var(--row-hover)}}
.get{width:100%}
`
