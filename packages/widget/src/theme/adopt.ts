const sheets = new Map<string, CSSStyleSheet>()

/**
 * Adds a style sheet to a root; returns a function that removes it. Constructed sheets need no `style-src 'unsafe-inline'`; where they are
 * not supported (Safari before 16.4, jsdom) a style element holds the rules.
 */
export function adopt(root: Document | ShadowRoot, css: string): () => void {
  if (!root.adoptedStyleSheets) {
    const style = document.createElement('style')
    style.textContent = css
    const place: Node = (root as Document).head ?? root
    place.appendChild(style)
    return () => style.remove()
  }
  let sheet = sheets.get(css)
  if (!sheet) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    sheets.set(css, sheet)
  }
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  return () => {
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((one) => one !== sheet)
  }
}
