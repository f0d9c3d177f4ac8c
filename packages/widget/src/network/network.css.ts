/** Styles of the texts above and below a list of networks. */
export const networkCss = `
.empty+.rows{margin-top:16px}
.empty.chosen{gap:12px;padding:4px 8px 0}
.empty.chosen .tile{width:56px;height:56px}
.lead{margin:0 8px 16px;text-align:center;text-wrap:balance;color:var(--soft)}
.lead.below{margin:16px 8px 0}
`
