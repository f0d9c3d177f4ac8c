//! English texts of the settings.

export const en = {
  direction: 'ltr',
  settings: {
    title: 'Wallet settings',
    loading: 'Loading…',
    lost: "Couldn't load the settings.",
    again: 'Try again',
    done: 'Done',
    back: 'Back',
    goOn: 'Continue',
    cancel: 'Cancel',
    working: 'Working…',
    assisted: 'Email opens this wallet on a new device',
    assistedHint: 'Easy to recover. The operator of this site could open it too.',
    sovereign: 'Only you can open this wallet',
    sovereignHint:
      'The operator of this site cannot open it. Keep your passkey or recovery kit safe: nobody can replace them.',
    frozen: 'This wallet is frozen',
    frozenHint: 'Nothing can be signed. Contact the operator of this site.',
    ways: 'Ways to open it on a new device',
    recovery: 'Login with email recovery',
    passkey: 'Passkey',
    kit: 'Recovery kit {0}',
    password: 'Password',
    added: 'Added {0}',
    remove: 'Remove',
    addPasskey: 'Add a passkey',
    makeKit: 'Make a recovery kit',
    restoreRecovery: 'Turn email recovery on',
    devices: 'Devices',
    here: 'This device',
    used: 'Last used {0}',
    keys: 'Keys',
    export: 'Show recovery phrase and keys',
    safety: 'Lost a device?',
    signOutEverywhere: 'Sign out everywhere',
    freeze: 'Freeze wallet',
    byMail: 'Confirm by email',
    byPasskey: 'Confirm with passkey',
    confirmTitle: 'Check your email',
    confirmHint: 'Open the link we sent to {0}. Confirm only if the page shows this number.',
    confirmWaiting: 'Waiting for you to confirm',
    passkeyAlone: 'Continue to use your passkey. This window closes by itself.',
    wordsTitle: 'Recovery phrase and keys',
    wordsHint:
      'Whoever has these can take everything. Never enter them on a site, and never tell them to anyone. They are hidden in a minute.',
    phrase: 'Recovery phrase',
    hold: 'Hold to show',
    copy: 'Copy',
    copied: 'Copied. Other apps can read it: paste it, then copy something else.',
    uncopied: "Couldn't copy. Write it down instead.",
    keyOf: { eip155: 'Ethereum private key', solana: 'Solana private key', bip122: 'Bitcoin private key' },
    kitTitle: 'Your recovery kit',
    kitHint:
      'Print or save this code now. It opens your wallet on a new device after you log in. It is not shown again.',
    kitMark: 'Kit {0}',
    print: 'Print',
    save: 'Save as file',
    kitKept: 'I have it in a safe place',
    lockedTitle: 'Open your wallet',
    lockedHint: 'Your login alone does not open this wallet. Use your recovery kit or passkey.',
    loginTitle: 'Log in with a passkey',
    loginHint: 'It needs no email. Use a passkey that you added in the settings of your wallet.',
    code: 'Code of the recovery kit',
    open: 'Open wallet',
    usePasskey: 'Use passkey',
    acts: {
      export: {
        title: 'Show recovery phrase and keys?',
        hint: 'Whoever sees them can take everything in this wallet. Nobody who helps you needs them.',
        action: 'Show'
      },
      makeKit: {
        title: 'Make a recovery kit?',
        hint: 'A code to print. With your login it opens the wallet on a new device, even without email recovery.',
        action: 'Make kit'
      },
      addPasskey: {
        title: 'Add a passkey?',
        hint: 'Your phone, computer or password manager keeps it. It opens the wallet on a new device and confirms requests.',
        action: 'Create passkey'
      },
      removeWay: {
        title: 'Remove this way?',
        hint: 'It no longer opens the wallet on a new device. A printed code becomes useless.',
        action: 'Remove'
      },
      removeRecovery: {
        title: 'Remove email recovery?',
        hint: 'From then on the operator of this site cannot open the wallet, and neither can your email. Without your passkey or recovery kit, and without this device, everything in it is lost.',
        action: 'Remove'
      },
      restoreRecovery: {
        title: 'Turn email recovery on?',
        hint: 'Your email opens the wallet on a new device again. The operator of this site could open it too.',
        action: 'Turn on'
      },
      removeDevice: {
        title: 'Remove this device?',
        hint: 'It is signed out, and needs your approval to come back.',
        action: 'Remove'
      },
      signOutEverywhere: {
        title: 'Sign out everywhere?',
        hint: 'All devices are signed out, this one too. Log in again where you need the wallet.',
        action: 'Sign out'
      },
      freeze: {
        title: 'Freeze this wallet?',
        hint: 'Nothing can be signed on any device until the operator of this site thaws it.',
        action: 'Freeze'
      }
    }
  }
} as const

type Words<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : Words<T[Key]> }

/** Texts of one language. */
export type Texts = Words<typeof en>
