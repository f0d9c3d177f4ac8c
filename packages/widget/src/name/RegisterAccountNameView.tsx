import type { NameFault, NameTrouble } from '../generated/core.ts'
import { useActiveWallet } from '../shell/active.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import type { KeyWith } from '../text/keys.ts'
import { nameWords } from '../text/name.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Button } from '../ui/Button.tsx'
import { Fault } from '../ui/form.tsx'
import { Tag } from '../ui/Tag.tsx'
import { nameCss } from './name.css.ts'

const faults: Readonly<Record<NameFault, KeyWith<typeof nameWords>>> = {
  character: 'nameCharacter',
  short: 'nameShort',
  long: 'nameLong',
  hyphen: 'nameHyphen',
  hyphens: 'nameHyphens',
  taken: 'nameTaken',
  reserved: 'nameKept'
}

const troubles: Readonly<Record<NameTrouble, KeyWith<typeof nameWords>>> = {
  resolve: 'nameNoOwner',
  suggestions: 'nameNoLike',
  reverse: 'nameNoNames',
  register: 'nameFailed',
  conflict: 'nameConflict',
  busy: 'nameBusy',
  refused: 'nameFailed',
  network: 'nameNetwork',
  declined: 'nameDeclined'
}

/** Letters that a name has at least (spec 5.1). */
const LEAST = 4

/** Letters at the end of a suggestion that are never cut: suggestions begin alike and differ there. */
const TAIL = 8

/** Form to choose an account name, with similar suggestions. The core validates each keystroke. */
export function RegisterAccountNameView() {
  useStyle(nameCss)
  const t = useText(nameWords)
  const dispatch = useDispatch()
  const { phase, problem, trouble, text, parent } = useSnapshot((snapshot) => snapshot.name)
  const toast = useSnapshot((snapshot) => snapshot.notice.snack?.message)
  // A toast says first that the visitor declined.
  const told = trouble === 'declined' && toast === 'signatureDeclined' ? null : trouble
  const wallet = useActiveWallet().name ?? t('yourWallet')
  return (
    <form
      className="naming"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        dispatch({ feature: 'name', event: { type: 'registerAsked' } })
      }}
    >
      <NameField />
      <Suggestions />
      <div className={told ? 'told wrong' : 'told'} role="status">
        {told
          ? t(troubles[told], `${text}.${parent}`)
          : phase === 'choosing'
            ? t('nameHint')
            : t(phase === 'signing' ? 'confirmIn' : 'nameRegistering', wallet)}
        {told === 'refused' && <q dir="auto">{problem}</q>}
      </div>
      <Action />
    </form>
  )
}

/** Submit button. It looks alive once the name can be had; before, it says what is missing, and pressing it shows that beside the field. */
function Action() {
  const t = useText(nameWords)
  const { phase, problem, text, ready, fault } = useSnapshot((snapshot) => snapshot.name)
  const busy = phase !== 'choosing'
  const alive = busy || ready
  const short = text.length < LEAST && !fault
  const gone = fault === 'taken' || fault === 'reserved'
  return (
    <Button kind={alive ? 'primary' : 'soft'} lacking={!alive} type="submit" busy={busy} data-testid="name-register">
      {t(
        alive
          ? problem
            ? 'tryAgain'
            : 'nameRegister'
          : !text
            ? 'nameEnter'
            : gone
              ? 'nameOther'
              : short
                ? 'nameShort'
                : 'nameCheck'
      )}
    </Button>
  )
}

function NameField() {
  const t = useText(nameWords)
  const dispatch = useDispatch()
  const { parent, text, fault, phase } = useSnapshot((snapshot) => snapshot.name)
  return (
    <div className={fault ? 'field wrong' : 'field'} data-testid="wui-ens-input">
      <label htmlFor="name">{t('name')}</label>
      <div className="line" dir="ltr">
        <input
          id="name"
          autoCapitalize="off"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          placeholder="alice"
          value={text}
          readOnly={phase !== 'choosing'}
          aria-invalid={fault !== null}
          aria-describedby="name-fault name-parent"
          data-focus=""
          data-testid="name-input"
          onChange={({ target }) => dispatch({ feature: 'name', event: { type: 'typed', text: target.value } })}
        />
        <bdi className="parent" id="name-parent">
          .{parent}
        </bdi>
      </div>
      <Fault id="name-fault">{fault && t(faults[fault])}</Fault>
    </div>
  )
}

function Suggestions() {
  const t = useText(nameWords)
  const dispatch = useDispatch()
  const { suggestions, searching, parent, text, phase } = useSnapshot((snapshot) => snapshot.name)
  if (suggestions.length === 0 && !searching) return null
  return (
    <ul className="likes" aria-label={t('nameSuggestions')} aria-busy={searching}>
      {suggestions.length === 0
        ? [0, 1, 2].map((index) => <li key={index} className="like bone" />)
        : suggestions.map(({ label, registered, reserved }) => (
            <li key={label}>
              <button
                type="button"
                className="like"
                disabled={registered || phase !== 'choosing'}
                // A name that cannot be had is never the chosen one.
                aria-pressed={!registered && label === text}
                data-testid="account-name-suggestion"
                onClick={() => dispatch({ feature: 'name', event: { type: 'suggestionChosen', label } })}
              >
                {/* A screen reader takes pieces in a row for words of their own. */}
                <span className="unseen">{`${label}.${parent}`}</span>
                <bdi className="whole" dir="ltr" title={`${label}.${parent}`} aria-hidden="true">
                  <b className="clip">{label.slice(0, -TAIL)}</b>
                  <span>{label.slice(-TAIL)}</span>
                  <small className="clip">.{parent}</small>
                </bdi>
                <Tag kind={registered ? 'quiet' : 'good'}>
                  {t(reserved ? 'nameReserved' : registered ? 'nameRegistered' : 'nameAvailable')}
                </Tag>
              </button>
            </li>
          ))}
    </ul>
  )
}
