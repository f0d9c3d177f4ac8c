import type { AppKit } from '../AppKit.ts'

/** Any of the widget's buttons. Each property reflects the attribute of the same name: `undefined` where it is absent. */
export interface AppKitElement extends HTMLElement {
  /** Modal that the button opens: the most recently created one, unless another is set. */
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
