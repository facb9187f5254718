/** Below the folder that an agent works in: what it made through the MCP server. */
export const generatedFolder = 'inference-desk';

const mostWords = 6;
const longestSlug = 48;
export const hashDigits = 12;

/** `<words of the prompt>-<hash>.<ending>`, safe for every file system and address. */
export function assetName(words: string, sha256: string, ending: string): string {
  return `${slugOf(words)}-${sha256.slice(0, hashDigits)}.${ending}`;
}

/** Letters of Latin scripts lose their accents; what is left of other scripts may be nothing, then it is `untitled`. */
function slugOf(words: string): string {
  const plain = words
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const slug = (plain ?? []).slice(0, mostWords).join('-').slice(0, longestSlug).replace(/-$/, '');
  // Some systems keep these for devices, whatever follows.
  return slug === '' || /^(con|prn|aux|nul|com\d|lpt\d)$/.test(slug) ? 'untitled' : slug;
}
