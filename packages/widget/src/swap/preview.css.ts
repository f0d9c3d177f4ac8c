/** Styles of the swap preview: both sides in a smaller form. */
export const previewCss = `
.preview{--most:calc(var(--u)*2.2)}
.preview .field{padding:8px 14px}
.preview .side:has(.full):not(:last-child){padding-bottom:24px}
.preview .big{height:36px;font-size:var(--most);line-height:36px}
.preview .field small{color:var(--soft);font-size:calc(var(--u)*1.3)}
.preview small.contract{display:grid;justify-items:start}
.preview .pill{padding-inline:8px 14px;cursor:default}
`
