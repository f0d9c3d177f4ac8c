//! The buttons as custom elements. Everything is made inside `defineElements`, for a server has no `HTMLElement`.

import { adopt } from '../../theme/adopt.ts'
import { applyTheme } from '../../theme/variables.ts'
import type { AppKit } from '../AppKit.ts'
import { currentAppKit, subscribeKit } from '../current.ts'
import { isSame } from '../select.ts'
import { accountButton, appKitButton, connectButton, networkButton } from './buttons.ts'
import { elementsCss } from './elements.css.ts'

/** What an element's attribute says. */
export type Read = (name: string) => string | undefined

/** What is drawn; the element is drawn anew only where this says something else. */
export interface ButtonPicture {
  readonly key: unknown
  readonly disabled: boolean
  readonly classes: string
  readonly testId: string
  /** What a screen reader says, where the words on it do not. */
  readonly label?: string | undefined
  draw(): readonly (Node | string)[]
  press(): void
}

/** Says how a button looks at the moment. */
export type Look = (kit: AppKit, read: Read) => ButtonPicture

const LOOKS: Readonly<Record<string, Look>> = {
  button: appKitButton,
  'connect-button': connectButton,
  'account-button': accountButton,
  'network-button': networkButton
}

/** Each is a property as well: React 19, Vue and Lit set what an element has as properties. */
const ATTRIBUTES = ['disabled', 'balance', 'size', 'label', 'loadingLabel', 'charsStart', 'charsEnd', 'namespace']

/** What a visitor does before a click; a finger enters as well. */
const INTENT = ['pointerenter', 'focusin']

/** Defines the elements, once in a page. */
export function defineElements(): void {
  for (const [name, look] of Object.entries(LOOKS)) {
    for (const prefix of ['appkit', 'w3m']) {
      // A class can stand for one name only.
      if (!customElements.get(`${prefix}-${name}`)) customElements.define(`${prefix}-${name}`, elementOf(look))
    }
  }
}

function elementOf(look: Look): CustomElementConstructor {
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

    /** The modal that it opens: the one that was made last, until a page with several says which. */
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
      // Not on the element itself: its attributes are the host's, and a hydrating React compares them.
      applyTheme(button, themeMode, themeVariables)
      button.className = classes
      button.disabled = disabled
      button.dataset.testid = testId
      if (label === undefined) button.removeAttribute('aria-label')
      else button.setAttribute('aria-label', label)
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
