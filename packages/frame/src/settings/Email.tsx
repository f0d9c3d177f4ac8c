import { type FormEvent, useEffect, useState } from 'react'
import { CodeField } from '../../../widget/src/embedded/CodeField.tsx'
import { faults } from '../text/faults.ts'
import { filled, words } from '../text/words.ts'
import { Fault, Press, type Shown } from './parts.tsx'

/** Digits of a code. */
const DIGITS = 6

/** Form of an address, to colour its button; the machine decides. */
const LOOKS_WHOLE = /^\S+@\S+\.\S+$/

/** Each page has one field, into which the visitor types next. */
const focus = (form: HTMLElement | null): void => form?.querySelector('input')?.focus()

/** The address of a further login is typed. */
export function Email({ settings, dispatch }: Shown) {
  const t = words().settings
  const { busy, fault, newEmail } = settings
  const [typed, type] = useState(newEmail ?? '')
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    dispatch({ type: 'emailTyped', email: String(new FormData(event.currentTarget).get('email') ?? '') })
  }
  return (
    <>
      <h1>{t.emailTitle}</h1>
      <p className="hint">{t.emailHint}</p>
      <form ref={focus} onSubmit={send}>
        <label htmlFor="email">{t.emailNew}</label>
        {/* The machine says what is wrong, in the language of the page. */}
        <input
          id="email"
          name="email"
          type="text"
          inputMode="email"
          dir="ltr"
          autoComplete="email"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={254}
          defaultValue={newEmail ?? ''}
          onChange={({ target }) => type(target.value)}
          aria-invalid={fault !== null}
          aria-describedby="email-fault"
        />
        <Fault id="email-fault" text={fault} />
        <button type="submit" className={LOOKS_WHOLE.test(typed) ? 'button primary' : 'button'} disabled={busy}>
          {t.emailSend}
        </button>
      </form>
      <Press act={() => dispatch({ type: 'settingsLeft' })}>{t.cancel}</Press>
    </>
  )
}

/** The code that went to the address is typed. The last digit sends it. */
export function Code({ settings, dispatch }: Shown) {
  const t = words().settings
  const { busy, fault, newEmail, rest } = settings
  const [code, type] = useState('')
  const wrong = fault !== null && code === ''
  // Only another mail helps; a field would take a code for nothing.
  const over = fault === faults.codesSpent || fault === faults.codeEnded
  // A wrong code is typed anew.
  useEffect(() => {
    if (fault !== null) type('')
  }, [fault])
  const typed = (text: string) => {
    const digits = text.replace(/\D/g, '').slice(0, DIGITS)
    type(digits)
    if (digits.length === DIGITS) dispatch({ type: 'codeTyped', code: digits })
  }
  return (
    <>
      <h1>{t.confirmTitle}</h1>
      {!over && (
        <>
          <p className="hint" id="code-hint">
            {filled(t.emailCodeHint, newEmail ?? '')}
          </p>
          <div className="code-field" ref={focus}>
            <CodeField
              label={t.emailCode}
              code={code}
              wrong={wrong}
              busy={busy}
              describedBy="code-fault code-hint"
              onTyped={typed}
            />
          </div>
        </>
      )}
      <Fault id="code-fault" text={wrong ? fault : null} />
      <p role="status">{busy ? t.codeChecking : ''}</p>
      <div className="row">
        <Press disabled={busy || rest > 0} act={() => dispatch({ type: 'codeWanted' })}>
          {rest > 0 ? filled(t.emailResendIn, String(rest)) : t.emailResend}
        </Press>
        <Press act={() => dispatch({ type: 'settingsLeft' })}>{t.back}</Press>
      </div>
    </>
  )
}
