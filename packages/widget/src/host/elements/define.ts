//! Buttons as custom elements. All classes are made inside `defineElements`: a server has no `HTMLElement`.

import { adopt } from '../../theme/adopt.ts'
import { applyTheme } from '../../theme/variables.ts'
import type { AppKit } from '../AppKit.ts'
import { currentAppKit, subscribeKit } from '../current.ts'
import { isSame } from '../select.ts'
import { accountButton, appKitButton, connectButton, networkButton } from './buttons.ts'
import { elementsCss } from './elements.css.ts'

/** Reads an attribute of the element. */
export type Read = (name: string) => string | undefined

/** Appearance of a button; the element is redrawn only when it changes. */
export interface ButtonPicture {
  readonly key: unknown
  readonly disabled: boolean
  readonly classes: string
  readonly testId: string
  /** Label for screen readers, where it differs from the visible text. */
  readonly label?: string | undefined
  draw(): readonly (Node | string)[]
  press(): void
}

/** Computes a button's current appearance. */
export type Look = (kit: AppKit, read: Read) => ButtonPicture

const LOOKS: Readonly<Record<string, Look>> = {
  button: appKitButton,
  'connect-button': connectButton,
  'account-button': accountButton,
  'network-button': networkButton
}

/** Attributes that are also properties: React 19, Vue and Lit set existing properties instead of attributes. */
const ATTRIBUTES = ['disabled', 'balance', 'size', 'label', 'loadingLabel', 'charsStart', 'charsEnd', 'namespace']

/** Events that precede a click, touch included. */
const INTENT = ['pointerenter', 'focusin']

/** Defines the elements, once per page. */
export function defineElements(): void {
  for (const [name, look] of Object.entries(LOOKS)) {
    for (const prefix of ['appkit', 'w3m']) {
      // Each name needs its own class.
      if (!customElements.get(`${prefix}-${name}`)) customElements.define(`${prefix}-${name}`, elementOf(look))
    }
  }
}

/** Class of a button with this appearance. */
export function elementOf(look: Look): CustomElementConstructor {
  class Button extends HTMLElement {
    static readonly observedAttributes = ATTRIBUTES.map((name) => name.toLowerCase())
    readonly #shadow = this.attachShadow({ mode: 'open', delegatesFocus: true })
    readonly #button = document.createElement('button')
    #kit: AppKit | undefined
    #drawn: unknown
    #stop = () => {}

    constructor() {
      super()
      adopt(this.#shadow, elementsCss)
      this.#shadow.append(this.#button)
      const intend = () => this.kit?.engine.intend()
      for (const event of INTENT) this.addEventListener(event, intend, { passive: true })
    }

    /** Modal that the button opens: the most recently created one, unless the page sets another. */
    get kit(): AppKit | undefined {
      return this.#kit ?? currentAppKit()
    }

    set kit(kit: AppKit | undefined) {
      this.#kit = kit
      if (this.isConnected) this.connectedCallback()
    }

    connectedCallback() {
      this.#stop()
      this.#stop = subscribeKit(
        () => this.kit,
        () => this.#render()
      )
      this.#render()
    }

    disconnectedCallback() {
      this.#stop()
    }

    attributeChangedCallback() {
      if (this.isConnected) this.#render()
    }

    #render() {
      const { kit } = this
      if (!kit) return
      const { key, disabled, classes, testId, label, draw, press } = look(
        kit,
        (name) => this.getAttribute(name) ?? undefined
      )
      const { themeMode, themeVariables } = kit.engine.store.get().config
      this.#button.onclick = press
      const next = { key, disabled, classes, testId, label, themeMode, themeVariables }
      if (isSame(next, this.#drawn)) return
      this.#drawn = next
      const button = this.#button
      // Theme on the inner button: the element's attributes are the host's, and React compares them when it hydrates.
      applyTheme(button, themeMode, themeVariables)
      button.className = classes
      button.disabled = disabled
      button.dataset.testid = testId
      if (label === undefined) button.removeAttribute('aria-label')
      else button.setAttribute('aria-label', label)
      // It may be of a name that had no room.
      button.removeAttribute('title')
      button.replaceChildren(...draw())
    }
  }
  for (const name of ATTRIBUTES) {
    Object.defineProperty(Button.prototype, name, {
      configurable: true,
      get(this: Button) {
        const said = this.getAttribute(name)
        return name === 'disabled' ? (said ?? 'false') !== 'false' : (said ?? undefined)
      },
      set(this: Button, value: unknown) {
        if (value === undefined || value === null || value === false) this.removeAttribute(name)
        else this.setAttribute(name, value === true ? '' : (value as string))
      }
    })
  }
  return Button
}
