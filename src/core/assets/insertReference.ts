import path from 'node:path';

/** How a text refers to a file. */
export interface Reference {
  /** With forward slashes: relative to the document's folder, otherwise absolute. */
  readonly path: string;
  /** The path as a relative or `file:` URL, with everything encoded that a form would have to escape. */
  readonly url: string;
  readonly isRelative: boolean;
}

/**
 * `file` and `documentFolder` are absolute paths of `platform`; without that folder, or if it is on another drive, the full path is
 * used.
 */
export function referenceTo(file: string, documentFolder: string | undefined, platform = process.platform): Reference {
  const windows = platform === 'win32';
  const system = windows ? path.win32 : path.posix;
  const segments = (of: string): readonly string[] => of.split(system.sep);
  if (documentFolder !== undefined) {
    const from = system.relative(documentFolder, file);
    if (from !== '' && !system.isAbsolute(from)) {
      const parts = segments(from);
      return { path: parts.join('/'), url: parts.map(encoded).join('/'), isRelative: true };
    }
  }
  return { path: segments(file).join('/'), url: fileUrl(segments(file)), isRelative: false };
}

/** Builds the URL of `/a/b`, `C:\a\b` or `\\server\share\a`, already split at its separators. */
function fileUrl(parts: readonly string[]): string {
  if (parts[0] === '' && parts[1] === '') return `file://${parts.slice(2).map(encoded).join('/')}`;
  const [first = '', ...rest] = parts;
  const drive = /^[A-Za-z]:$/.test(first) ? `/${first}` : encoded(first);
  return `file://${[drive, ...rest.map(encoded)].join('/')}`;
}

/** Also encodes characters that a URL may contain, but the quotes and brackets around it may not. */
function encoded(segment: string): string {
  return encodeURIComponent(segment.replaceAll(/\p{Surrogate}/gu, '\ufffd')).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
