/** Subfolder of an agent's working folder for the files it generates through the MCP server. */
export const generatedFolder = 'inference-desk';

const mostWords = 6;
const longestSlug = 48;
export const hashDigits = 12;

/** Returns `<words of the prompt>-<hash>.<ending>`, safe for every file system and URL. */
export function assetName(words: string, sha256: string, ending: string): string {
  return `${slugOf(words)}-${sha256.slice(0, hashDigits)}.${ending}`;
}

/** Latin letters lose their accents. Other scripts might leave nothing, which becomes `untitled`. */
function slugOf(words: string): string {
  const plain = words
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const slug = (plain ?? []).slice(0, mostWords).join('-').slice(0, longestSlug).replace(/-$/, '');
  // Windows reserves these names for devices, whatever the extension.
  return slug === '' || /^(con|prn|aux|nul|com\d|lpt\d)$/.test(slug) ? 'untitled' : slug;
}
