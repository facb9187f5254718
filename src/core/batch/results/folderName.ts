/** Windows counts the whole path, which may have 260 characters; other systems 255 bytes for a name. */
const mostCharacters = 48;

/** A text as a part of a folder's name that Windows, macOS and Linux all take, at most 48 characters; never empty. */
export function folderName(text: string): string {
  const plain = text
    .normalize('NFC')
    // Forbidden somewhere, or not seen.
    .replace(/[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const cut = Array.from(plain).slice(0, mostCharacters).join('');
  // Windows takes dots and spaces at the end away.
  const name = cut.replace(/^[. ]+|[. ]+$/gu, '');
  if (name === '') return 'run';
  // Names of devices, with or without an ending.
  return /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/iu.test(name) ? `${name[0]}_${name.slice(1)}` : name;
}
