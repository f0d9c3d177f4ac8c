//! The buttons as custom elements. Everything is made inside `defineElements`, for a server has no `HTMLElement`.

import { applyTheme } from '../../theme/variables.ts'
import type { AppKit } from '../AppKit.ts'
import { currentAppKit, subscribeCurrent } from '../current.ts'
import type { ChainNamespace } from '../options.ts'
import { isSame } from '../select.ts'
import { adoptSheet } from '../stage.ts'
import { accountButton, appKitButton, connectButton, networkButton } from './buttons.ts'
import { elementsCss } from './elements.css.ts'

/** What an element's attributes say. */
export interface Attributes {
  read(name: string): string | undefined
  /** There, and not `false`: React 18 writes that. */
  has(name: string): boolean
  readonly namespace: ChainNamespace | undefined
}

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
export type Look = (kit: AppKit, attributes: Attributes) => ButtonPicture

const LOOKS: Readonly<Record<string, Look>> = {
  button: appKitButton,
  'connect-button': connectButton,
  'account-button': accountButton,
  'network-button': networkButton
}

const ATTRIBUTES = ['disabled', 'balance', 'size', 'label', 'loadinglabel', 'charsstart', 'charsend', 'namespace']

/** What a visitor does before a click. */
const INTENT = ['pointerenter', 'focusin', 'pointerdown', 'touchstart']

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
  return class extends HTMLElement implements Attributes {
    static readonly observedAttributes = ATTRIBUTES
    readonly #shadow = this.attachShadow({ mode: 'open', delegatesFocus: true })
    readonly #button = document.createElement('button')
    #drawn: unknown
    #press = () => {}
    #stop = () => {}

    constructor() {
      super()
      adoptSheet(this.#shadow, elementsCss)
      this.#button.type = 'button'
      this.#button.addEventListener('click', () => this.#press())
      this.#shadow.append(this.#button)
      const preload = () => currentAppKit()?.preload()
      for (const event of INTENT) this.addEventListener(event, preload, { passive: true })
    }

    connectedCallback() {
      this.#stop = subscribeCurrent(() => this.#render())
      this.#render()
    }

    disconnectedCallback() {
      this.#stop()
    }

    attributeChangedCallback() {
      if (this.isConnected) this.#render()
    }

    read(name: string): string | undefined {
      return this.getAttribute(name) ?? undefined
    }

    has(name: string): boolean {
      return (this.getAttribute(name) ?? 'false') !== 'false'
    }

    get namespace(): ChainNamespace | undefined {
      return this.read('namespace') as ChainNamespace | undefined
    }

    #render() {
      const kit = currentAppKit()
      if (!kit) return
      const { key, disabled, classes, testId, label, draw, press } = look(kit, this)
      const { themeMode, themeVariables } = kit.engine.store.get().config
      this.#press = press
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
}
