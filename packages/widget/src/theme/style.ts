import { createContext, useContext, useInsertionEffect } from 'react'

/** The shadow root that the views stand in. */
export const StyleContext = createContext<ShadowRoot | null>(null)

const sheets = new Map<string, CSSStyleSheet>()

/** Adds a style sheet to a shadow root, once. Constructed sheets need no `style-src 'unsafe-inline'`. */
export function adopt(shadow: ShadowRoot, css: string): void {
  let sheet = sheets.get(css)
  if (!sheet) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    sheets.set(css, sheet)
  }
  if (!shadow.adoptedStyleSheets.includes(sheet)) shadow.adoptedStyleSheets = [...shadow.adoptedStyleSheets, sheet]
}

/** The rules of a view that is loaded later bring themselves. */
export function useStyle(css: string): void {
  const shadow = useContext(StyleContext)
  useInsertionEffect(() => {
    if (shadow) adopt(shadow, css)
  }, [shadow, css])
}
