//! What the worker does for the settings: export, slots, the opening of a locked wallet. Words, keys and codes go to the page, which shows
//! them, and nowhere else.

import type {
  LoggedIn,
  PasskeyProof,
  PasswordAnswered,
  PasswordBegun,
  SigningOrder,
  Unlocked,
  WalletUser
} from '../generated/frame.ts'
import type { Secret } from '../secrets.ts'
import { faults } from '../text/faults.ts'
import { type Password, PasswordError } from './Password.ts'
import { type Addresses, type DeviceSecret, NOTHING, type Signer, SignerError, type Typed } from './Signer.ts'
import { type Given, Unproved } from './subject.ts'
import { type Vault, VaultError } from './Vault.ts'

/** Letters of the shortest password. The server limits tries; the length is for a day when database and root key are stolen. */
const SHORTEST = 12

/** Passkey whose PRF was asked. */
export interface StoredPasskey {
  readonly credential: string
  readonly key: string
  readonly salt: string
  readonly output: string
}

/** Orders of the page that carry what only the page can get. */
export type PageOrder =
  | { readonly type: 'storePasskey'; readonly passkey: StoredPasskey }
  | { readonly type: 'openByOutput'; readonly output: string }
  | { readonly type: 'choosePassword'; readonly password: string }
  | { readonly type: 'tryPassword'; readonly password: string }
  | { readonly type: 'logInByOutput'; readonly proof: PasskeyProof; readonly output: string }
  | {
      readonly type: 'createByOutput'
      readonly passkey: StoredPasskey
      readonly project: string
      readonly host: string
    }
  | { readonly type: 'signBy'; readonly order: SigningOrder; readonly given: Given }
  | {
      readonly type: 'signDecided'
      readonly order: SigningOrder
      readonly digest: string
      readonly given: Given | undefined
    }
  | { readonly type: 'setStrictBy'; readonly strict: boolean; readonly given: Given }
  | { readonly type: 'exportBy'; readonly password: string }

/** The worker's wallet. */
export interface Opened {
  readonly vault: Vault
  readonly signer: Signer
  readonly password: Password
  /** Unlocks the wallet of the session, if it is locked; returns its user. */
  unlocked(): Promise<string>
  deviceOf(user: string): Promise<DeviceSecret>
  known(user: string): Promise<Addresses | null>
  /** Notes that the wallet of a user is open, with these addresses. */
  opened(user: string, addresses: Addresses): Promise<void>
}

/** Reads words and keys. A wallet with a password is opened by it alone, unless it has a passkey: the vault asked for that one. */
export async function exportKeys(
  { vault, signer, password, deviceOf, known, opened }: Opened,
  given?: string
): Promise<Secret> {
  // Before the request, which uses up the visitor's confirmation: after a wrong password, another one can be typed.
  const typed = given === undefined ? NOTHING : { ...NOTHING, password: await passwordKey(password, vault, given) }
  const key = await signer.keyPair()
  const { user, wallet, release } = (await vault.askAsUser('/wallet/v1/export', { key })) as Unlocked
  const has = (wanted: string) => wallet.slots.some(({ kind }) => kind === wanted)
  const alone = typed !== NOTHING
  if (!alone && has('password') && !has('passkey')) throw new Unproved(faults.unproved)
  const device = await deviceOf(user.id)
  const { addresses } = await signer.unlock(release, wallet, device, await known(user.id), typed, alone)
  await opened(user.id, addresses)
  const { words, keys } = await signer.exported()
  return { type: 'words', words, keys }
}

/** The code is told after its slot is stored: a code that opens nothing is never printed. */
export async function makeKit({ vault, signer, unlocked }: Opened): Promise<Secret> {
  await unlocked()
  const { slot, code } = await signer.kit()
  await vault.askAsUser('/wallet/v1/slot', { slot })
  const { mark } = JSON.parse(slot.hint ?? '{}')
  return { type: 'kit', code, mark: typeof mark === 'string' ? mark : '' }
}

export async function storePasskey({ vault, signer, unlocked }: Opened, passkey: StoredPasskey): Promise<void> {
  await unlocked()
  const { credential, key, salt, output } = passkey
  const slot = await signer.passkey(output, JSON.stringify({ credential, salt, key }))
  await vault.askAsUser('/wallet/v1/slot', { slot, passkey: { credential, key } })
}

/** Sets a password, in the place of an earlier one. Only messages of OPAQUE leave the worker. */
export async function setPassword({ vault, signer, password, unlocked }: Opened, typed: string): Promise<void> {
  // Counted nearly as people count letters.
  if ([...typed.normalize('NFC')].length < SHORTEST) throw new VaultError(400, 'password', faults.passwordShort)
  await unlocked()
  let state = ''
  const { key, record } = await password.choose(typed, async (request) => {
    const begun = (await vault.askAsUser('/wallet/v1/password/set', { request })) as PasswordBegun
    state = begun.state
    return begun.response
  })
  const slot = await signer.password(key)
  await vault.askAsUser('/wallet/v1/slot', { slot, password: { state, record } })
}

/** Key of a typed password. The vault counts the try. */
export async function passwordKey(password: Password, vault: Vault, typed: string): Promise<string> {
  const ask = async (request: string) =>
    ((await vault.askAsUser('/wallet/v1/password', { request })) as PasswordAnswered).response
  const { key } = await password.try(typed, ask).catch((error: unknown) => {
    const wrong = error instanceof PasswordError && error.reason === 'wrong'
    throw wrong ? new VaultError(403, 'password', faults.passwordWrong) : error
  })
  return key
}

export async function openByPassword(own: Opened, typed: string): Promise<{ user: WalletUser; addresses: Addresses }> {
  return openBy(own, { ...NOTHING, password: await passwordKey(own.password, own.vault, typed) })
}

export async function restoreRecovery({ vault, signer, unlocked, deviceOf }: Opened): Promise<void> {
  const own = await unlocked()
  const key = await signer.keyPair()
  const { user, release } = (await vault.askAsUser('/wallet/v1/recovery', { key })) as Unlocked
  if (user.id !== own) throw new VaultError(401, 'session', '')
  const slot = await signer.recovery(release, await deviceOf(own))
  await vault.askAsUser('/wallet/v1/slot', { slot })
}

/** Logs in by a passkey's signature, and opens the wallet by the output of its PRF. Without both there is no session. */
export async function logInBy(
  { vault, signer, deviceOf, known, opened }: Opened,
  proof: PasskeyProof,
  output: string
): Promise<{ user: WalletUser; addresses: Addresses }> {
  const key = await signer.keyPair()
  const told = (await vault.ask('/wallet/v1/login/passkey/finish', { proof, key }).catch((error: unknown) => {
    // The sentence of the vault names a wallet, and none is chosen yet.
    const unknown = error instanceof VaultError && error.field === 'passkey'
    throw unknown ? new VaultError(403, 'passkey', faults.passkeyUnknown) : error
  })) as LoggedIn
  const { user, wallet, release } = told
  vault.hold(told.session, user.id)
  try {
    if (wallet === null) throw new VaultError(404, 'wallet', faults.passkeyUnknown)
    const typed = { ...NOTHING, passkey: output }
    const found = await signer.unlock(release, wallet, await deviceOf(user.id), await known(user.id), typed)
    if (found.deviceSlot !== null) await vault.askAsUser('/wallet/v1/slot', { slot: found.deviceSlot })
    await opened(user.id, found.addresses)
    await vault.settle()
    return { user, addresses: found.addresses }
  } catch (error) {
    await vault.forget()
    throw error instanceof SignerError
      ? new VaultError(403, 'passkey', faultOf(error, { ...NOTHING, passkey: output }))
      : error
  }
}

/** Opens the wallet of a login by what the visitor has; from then on this device opens it too. */
export async function openBy(
  { vault, signer, deviceOf, known, opened }: Opened,
  typed: Typed
): Promise<{ user: WalletUser; addresses: Addresses }> {
  const session = await vault.session()
  if (!session) throw new VaultError(401, 'session', '')
  const key = await signer.keyPair()
  const { user, wallet, release } = (await vault.askAsUser('/wallet/v1/unlock', { key })) as Unlocked
  if (user.id !== session.user) throw new VaultError(401, 'session', '')
  try {
    const found = await signer.unlock(release, wallet, await deviceOf(user.id), await known(user.id), typed)
    if (found.deviceSlot !== null) await vault.askAsUser('/wallet/v1/slot', { slot: found.deviceSlot })
    await opened(user.id, found.addresses)
    await vault.settle()
    return { user, addresses: found.addresses }
  } catch (error) {
    throw error instanceof SignerError ? new VaultError(403, 'kit', faultOf(error, typed)) : error
  }
}

function faultOf({ reason }: SignerError, { passkey, password }: Typed): string {
  if (password !== null) return faults.unopened
  if (passkey !== null) return faults.passkeyOther
  if (reason === 'command') return faults.kitTypo
  if (reason === 'slots') return faults.kitOther
  return faults.unopened
}
