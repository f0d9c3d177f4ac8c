/** Styles of social logins: services in one line, and their marks. */
export const socialCss = `
.socials{display:grid;grid-auto-flow:column;grid-auto-columns:minmax(0,1fr);gap:8px;margin:8px 0;padding:0;list-style:none}
.socials .row{width:100%;min-height:52px;padding:0;justify-content:center}
.socials .row>.icon{margin:0;color:inherit}
.rows.few{margin:8px 0}
.social-bone{margin:8px 0;min-height:52px}
.social-mark{display:block;width:24px;height:24px;fill:currentColor}
.tile .social-mark{width:56%;height:56%}
`
