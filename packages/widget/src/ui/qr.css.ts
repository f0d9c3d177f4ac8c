/** Styles of a QR code. */
export const qrCss = `
.qr{position:relative;display:grid;width:100%;max-width:max(160px,100dvh - 120px);margin-inline:auto;aspect-ratio:1;border-radius:calc(var(--k)*5);overflow:hidden;background:#fff;--dots:var(--apkt-qr-color,#14171b)}
@supports (color:oklch(from red l c h)){.qr{--dots:oklch(from var(--apkt-qr-color,#14171b) min(l,.42) c h)}}
:host([data-theme=light]) .qr{box-shadow:inset 0 0 0 1px var(--rim)}
.qr>*{grid-area:1/1}
.qr svg{width:100%;height:100%;fill:var(--dots);animation:appear 200ms ease-out}
.qr .coming{fill:#d9dce0;animation:pulse 1.8s ease-in-out infinite}
.qr-logo{place-self:center;display:grid;place-items:center;width:20%;aspect-ratio:1;border-radius:22%;background:#fff}
.qr-logo .tile{width:82%;height:82%;border-radius:20%;font-size:calc(var(--u)*2.4)}
.qr-logo img.tile{box-shadow:none}
@keyframes appear{from{opacity:0}}
@media(forced-colors:active){.qr{forced-color-adjust:none}}
`
