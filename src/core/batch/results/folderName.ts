/** Windows limits the whole path, sometimes to 260 characters; other systems limit a name to 255 bytes. */
const mostCharacters = 48;

/** Returns a text as part of a folder name that Windows, macOS and Linux accept: at most 48 characters, never empty. */
export function folderName(text: string): string {
  const plain = text
    .normalize('NFC')
    // Forbidden on some system, or invisible.
    .replace(/[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const cut = Array.from(plain).slice(0, mostCharacters).join('');
  // Windows removes dots and spaces at the end.
  const name = cut.replace(/^[. ]+|[. ]+$/gu, '');
  if (name === '') return 'run';
  // Device names, with or without an extension.
  return /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/iu.test(name) ? `${name[0]}_${name.slice(1)}` : name;
}
