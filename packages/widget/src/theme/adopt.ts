const sheets = new Map<string, CSSStyleSheet>()

/**
 * Adds a style sheet to a root, and returns what takes it away. Constructed sheets need no `style-src 'unsafe-inline'`; where there
 * are none (Safari before 16.4, jsdom) an element holds the rules.
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
