/** English texts of the account name views besides [`en`]; loaded with those views. */
export const nameWords = {
  nameHint: 'A short name to use instead of your address.',
  nameRegister: 'Register',
  nameRegistering: 'Registering your name',
  nameSuggestions: 'Similar names',
  nameAvailable: 'Available',
  nameCharacter: 'Use only letters a to z, digits and hyphens',
  nameShort: 'Use at least 4 characters',
  nameLong: 'Use at most 63 characters',
  nameHyphen: 'No hyphen at the start or end, or as both the 3rd and 4th character',
  nameTaken: 'Taken',
  nameKept: 'Reserved. Try another name.',
  nameReserved: 'Reserved',
  nameSuccess: 'The name is yours. It points to your address.',
  nameWhy: 'A name for your account',
  nameInstead: 'Easy to share',
  nameInsteadHint: 'Share {0} to get paid. No need to copy an address.',
  nameShown: 'Easy to recognize',
  nameShownHint: 'It appears instead of your address, here and wherever names are supported.',
  nameFree: 'Free to register',
  nameFreeHint: "You sign a message to prove the address is yours. Nothing moves and there's no fee."
} as const
