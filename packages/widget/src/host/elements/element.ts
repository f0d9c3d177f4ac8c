import type { AppKit } from '../AppKit.ts'

/** Any of the buttons in the page. A property is the attribute of that name: `undefined` where there is none. */
export interface AppKitElement extends HTMLElement {
  /** The modal that it opens: the one that was made last, until another is set. */
  kit: AppKit | undefined
  disabled: boolean
  balance: string | undefined
  size: string | undefined
  label: string | undefined
  loadingLabel: string | undefined
  charsStart: string | number | undefined
  charsEnd: string | number | undefined
  namespace: string | undefined
}
