import type { MouseEvent, ReactNode } from 'react'
import type { FrameUiEvent, SettingsView } from '../generated/frame.ts'
import type { Secrets } from '../secrets.ts'
import { faultText } from '../text/words.ts'

/** What each page of the settings gets. */
export interface Shown {
  readonly settings: SettingsView
  /** Origin of the host page. */
  readonly host: string
  readonly secrets: Secrets
  dispatch(event: FrameUiEvent): void
}

interface Pressed {
  readonly children: ReactNode
  /** `grave` takes the place of `primary` where something is lost. */
  readonly kind?: 'primary' | 'grave' | 'bad' | 'small'
  readonly disabled?: boolean
  readonly label?: string
  act(): void
}

/** Button that clicks of scripts do not press. */
export function Press({ children, kind, disabled, label, act }: Pressed) {
  const pressed = ({ nativeEvent }: MouseEvent) => {
    if (nativeEvent.isTrusted) act()
  }
  return (
    <button
      type="button"
      className={kind ? `button ${kind}` : 'button'}
      disabled={disabled}
      aria-label={label}
      onClick={pressed}
    >
      {children}
    </button>
  )
}

export function Fault({ text, id }: { text: string | null; id?: string }) {
  // A rest counts by the second, which screen readers do not announce anew.
  return text === null ? null : (
    <p className="flags blocked" role="alert" aria-relevant="additions" id={id}>
      {faultText(text)}
    </p>
  )
}

/** List with a title. */
export function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h2>{title}</h2>
      <ul className="lines">{children}</ul>
    </>
  )
}

/** Line of a list, with a button. */
export function Line({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <li>
      <span>
        <span>{title}</span>
        <small>{hint}</small>
      </span>
      {children}
    </li>
  )
}
