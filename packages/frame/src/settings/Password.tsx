import { useState } from 'react'
import { faults } from '../text/faults.ts'
import { words } from '../text/words.ts'
import { Fault, Press, type Shown } from './parts.tsx'

/** Fewest letters of a new password, to colour its button; the worker decides. */
const SHORTEST = 12

/** A new password is typed, or the one that there is for strict mode and for the keys. */
export function Password(shown: Shown) {
  const t = words().settings
  const { act, busy, fault } = shown.settings
  const sets = act === 'setPassword'
  return (
    <>
      <h1>{sets ? t.passwordTitle : act === 'export' ? t.export : t.strict}</h1>
      <p className="hint">{sets ? t.passwordHint : t.prove}</p>
      {sets ? (
        <PasswordForm {...shown} label={t.passwordNew} use="new-password" action={t.passwordSet} primary twice />
      ) : (
        <>
          <Fault text={fault} />
          <PasswordForm {...shown} label={t.password} use="current-password" action={t.goOn} primary />
        </>
      )}
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
  /** Whether it is typed once more, because nobody can reset it. */
  readonly twice?: boolean
}

/** Field of a password with a button that shows it. What is typed goes to the worker, and not through the machine. */
export function PasswordForm({ settings, secrets, dispatch, label, use, action, primary, twice }: Asked) {
  const t = words().settings
  const [shown, show] = useState(false)
  const [ready, setReady] = useState(false)
  // The fault of the last check is outdated from the next letter on, until the new text is checked.
  const [wrong, setWrong] = useState<keyof typeof faults | 'told' | null>('told')
  const { busy, email, fault } = settings
  return (
    <form
      noValidate
      onInput={({ currentTarget }) => {
        const least = twice ? SHORTEST : 1
        setReady(fields(currentTarget).every(({ value }) => [...value.normalize('NFC')].length >= least))
        setWrong(null)
      }}
      onSubmit={(event) => {
        event.preventDefault()
        const missing = fields(event.currentTarget).find(({ value }) => value === '')
        if (missing) {
          setWrong(!twice ? null : missing.name === 'password' ? 'passwordShort' : 'passwordDiffers')
          return missing.focus()
        }
        const form = new FormData(event.currentTarget)
        const [typed, again] = ['password', 'again'].map((name) => String(form.get(name) ?? ''))
        const differs = twice === true && typed !== again
        setWrong(differs ? 'passwordDiffers' : 'told')
        if (differs) return
        secrets.type(typed ?? '')
        dispatch({ type: 'passwordTyped' })
      }}
    >
      {twice && <Fault text={wrong === 'told' ? fault : wrong && faults[wrong]} />}
      {/* Password managers keep a password with the name of an account. */}
      <input type="text" name="username" autoComplete="username" value={email ?? ''} readOnly hidden />
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
          aria-required
        />
        <Press kind="small" label={shown ? t.passwordHide : t.passwordShow} act={() => show(!shown)}>
          {shown ? t.hide : t.show}
        </Press>
      </div>
      {twice && (
        <>
          <label htmlFor="again">{t.passwordAgain}</label>
          <input
            id="again"
            name="again"
            type={shown ? 'text' : 'password'}
            dir="auto"
            autoComplete={use}
            autoCapitalize="off"
            spellCheck={false}
            maxLength={256}
            aria-required
          />
        </>
      )}
      <button type="submit" className={!ready ? 'button idle' : primary ? 'button primary' : 'button'} disabled={busy}>
        {action}
      </button>
    </form>
  )
}

/** The fields to type in. */
function fields(form: HTMLFormElement): HTMLInputElement[] {
  return [...form.querySelectorAll<HTMLInputElement>('[aria-required]')]
}
