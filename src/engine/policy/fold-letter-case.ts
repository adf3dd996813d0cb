/**
 * A path as volumes read it that take `.ENV` and `.env` for one file. They know more spellings than lower case undoes: `ſ` is
 * an `s` there, and characters without width are none.
 */
export function foldLetterCase(text: string): string {
  const plain = text.normalize('NFD').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return plain.toUpperCase().toLowerCase();
}
