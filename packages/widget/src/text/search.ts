/** Texts of every search field. */
export const searchWords = { clear: 'Clear' }
