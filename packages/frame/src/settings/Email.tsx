import type { FormEvent } from 'react'
import { filled, words } from '../text/words.ts'
import { Fault, Press, type Shown } from './parts.tsx'

const field = (event: FormEvent<HTMLFormElement>): string => {
  event.preventDefault()
  return String(new FormData(event.currentTarget).get('typed') ?? '')
}

/** Each page has one field, into which the visitor types next. */
const focus = (input: HTMLInputElement | null): void => input?.focus()

/** The address of a further login is typed. */
export function Email({ settings, dispatch }: Shown) {
  const t = words().settings
  const { busy, fault, newEmail } = settings
  return (
    <>
      <h1>{t.emailTitle}</h1>
      <p className="hint">{t.emailHint}</p>
      <Fault text={fault} />
      <form onSubmit={(event) => dispatch({ type: 'emailTyped', email: field(event) })}>
        <label htmlFor="email">{t.emailNew}</label>
        {/* The machine says what is wrong, in the language of the page. */}
        <input
          ref={focus}
          id="email"
          name="typed"
          type="text"
          inputMode="email"
          dir="ltr"
          autoComplete="email"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={254}
          defaultValue={newEmail ?? ''}
          aria-invalid={fault !== null}
        />
        <button type="submit" className="button primary" disabled={busy}>
          {t.emailSend}
        </button>
      </form>
      <p role="status">{busy ? t.working : ''}</p>
      <Press act={() => dispatch({ type: 'settingsLeft' })}>{t.cancel}</Press>
    </>
  )
}

/** The code that went to the address is typed. */
export function Code({ settings, dispatch }: Shown) {
  const t = words().settings
  const { busy, fault, newEmail } = settings
  return (
    <>
      <h1>{t.confirmTitle}</h1>
      <p className="hint">{filled(t.emailCodeHint, newEmail ?? '')}</p>
      <Fault text={fault} />
      <form onSubmit={(event) => dispatch({ type: 'codeTyped', code: field(event) })}>
        <label htmlFor="email-code">{t.emailCode}</label>
        <input
          ref={focus}
          id="email-code"
          name="typed"
          dir="ltr"
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          maxLength={16}
          aria-invalid={fault !== null}
        />
        <button type="submit" className="button primary" disabled={busy}>
          {t.emailAdd}
        </button>
      </form>
      <p role="status">{busy ? t.working : ''}</p>
      <div className="row">
        <Press disabled={busy} act={() => dispatch({ type: 'codeWanted' })}>
          {t.emailResend}
        </Press>
        <Press act={() => dispatch({ type: 'settingsLeft' })}>{t.back}</Press>
      </div>
    </>
  )
}
