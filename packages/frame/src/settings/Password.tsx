import { useState } from 'react'
import { words } from '../text/words.ts'
import { Fault, Press, type Shown } from './parts.tsx'

/** A new password is typed. */
export function Password(shown: Shown) {
  const t = words().settings
  const { busy, fault } = shown.settings
  return (
    <>
      <h1>{t.passwordTitle}</h1>
      <p className="hint">{t.passwordHint}</p>
      <Fault text={fault} />
      <PasswordForm {...shown} label={t.passwordNew} use="new-password" action={t.passwordSet} primary />
      <p role="status">{busy ? t.working : ''}</p>
      <Press act={() => shown.dispatch({ type: 'settingsLeft' })}>{t.cancel}</Press>
    </>
  )
}

interface Asked extends Shown {
  readonly label: string
  readonly use: 'new-password' | 'current-password'
  readonly action: string
  readonly primary: boolean
}

/** Field of a password with a button that shows it. What is typed goes to the worker, and not through the machine. */
export function PasswordForm({ settings, secrets, dispatch, label, use, action, primary }: Asked) {
  const t = words().settings
  const [shown, show] = useState(false)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const typed = new FormData(event.currentTarget).get('password')
        secrets.type(String(typed ?? ''))
        dispatch({ type: 'passwordTyped' })
      }}
    >
      {/* Password managers keep a password with the name of an account. */}
      <input type="text" name="username" autoComplete="username" value={settings.email ?? ''} readOnly hidden />
      <label htmlFor="password">{label}</label>
      <div className="typed">
        <input
          id="password"
          name="password"
          type={shown ? 'text' : 'password'}
          dir="auto"
          autoComplete={use}
          autoCapitalize="off"
          spellCheck={false}
          maxLength={256}
          required
        />
        <Press kind="small" label={shown ? t.passwordHide : t.passwordShow} act={() => show(!shown)}>
          {shown ? t.hide : t.show}
        </Press>
      </div>
      <button type="submit" className={primary ? 'button primary' : 'button'} disabled={settings.busy}>
        {action}
      </button>
    </form>
  )
}
