import { type KeyboardEvent, useState, useSyncExternalStore } from 'react'
import { words } from '../text/words.ts'
import { Press, type Shown } from './parts.tsx'

/** Recovery phrase and keys, each drawn only while its button is held. */
export function Words({ secrets, dispatch }: Shown) {
  const t = words().settings
  const secret = useSyncExternalStore(secrets.subscribe, () => secrets.secret)
  const [copied, note] = useState<Copied>()
  if (secret?.type !== 'words') return null
  const copy = async (title: string, text: string) => {
    const done = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false
    )
    note({ title, done })
  }
  const names: Readonly<Record<string, string>> = t.keyOf
  return (
    <>
      <h1>{t.wordsTitle}</h1>
      <p className="flags blocked">{t.wordsHint}</p>
      <Held title={t.phrase} text={secret.words} copy={copy} copied={copied} />
      {secret.keys.map(({ namespace, address, key }) => (
        <Held
          key={namespace}
          title={names[namespace] ?? namespace}
          address={address}
          text={key}
          copy={copy}
          copied={copied}
        />
      ))}
      <Press kind="primary" act={() => dispatch({ type: 'settingsLeft' })}>
        {t.done}
      </Press>
    </>
  )
}

/** The last secret that was copied, or could not be. */
interface Copied {
  readonly title: string
  readonly done: boolean
}

interface Secret {
  readonly title: string
  /** Account of a key. */
  readonly address?: string
  readonly text: string
  readonly copied: Copied | undefined
  copy(title: string, text: string): void
}

function Held({ title, address, text, copy, copied }: Secret) {
  const t = words().settings
  const [held, hold] = useState(false)
  const told = copied?.title === title ? copied : undefined
  const done = told?.done === true
  const hide = () => hold(false)
  const byKey = ({ key, nativeEvent }: KeyboardEvent) => {
    if (nativeEvent.isTrusted && (key === ' ' || key === 'Enter')) hold(true)
  }
  return (
    <div className="secret" data-secret={title}>
      <strong>{title}</strong>
      {address && (
        <span className="soft">
          {t.address}: <bdi dir="ltr">{address}</bdi>
        </span>
      )}
      <div className="row">
        <button
          type="button"
          className="button"
          onPointerDown={({ nativeEvent }) => nativeEvent.isTrusted && hold(true)}
          onPointerUp={hide}
          onPointerLeave={hide}
          onPointerCancel={hide}
          onKeyDown={byKey}
          onKeyUp={hide}
          onBlur={hide}
          onContextMenu={(event) => event.preventDefault()}
        >
          {t.hold}
        </button>
        <Press act={() => copy(title, text)} label={`${done ? t.copyDone : t.copy}: ${title}`}>
          {done && (
            <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
              <path d="m2 8 4 4 8-9" fill="none" stroke="currentColor" strokeWidth="2" />
            </svg>
          )}{' '}
          {done ? t.copyDone : t.copy}
        </Press>
      </div>
      <p role="status">{told && (done ? t.copied : t.uncopied)}</p>
      {/* Below its button, which must not move from under the finger that holds it. */}
      <output className="text" translate="no">
        <bdi dir="ltr">{held ? text : '•••• •••• ••••'}</bdi>
      </output>
    </div>
  )
}
