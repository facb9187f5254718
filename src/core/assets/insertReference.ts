import path from 'node:path';

/** How a text names a file. */
export interface Reference {
  /** With forward slashes: from the document's folder, else absolute. */
  readonly path: string;
  /** The same as a relative or `file:` URL, with everything encoded that a form would have to escape. */
  readonly url: string;
  readonly isRelative: boolean;
}

export interface ReferenceOptions {
  /** Absolute; without it, and from another drive, the file is named in full. */
  readonly documentFolder?: string | undefined;
  /** Whether paths are those of Windows. */
  readonly windows: boolean;
}

/** `file` is absolute. */
export function referenceTo(file: string, { documentFolder, windows }: ReferenceOptions): Reference {
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

/** Of `/a/b`, `C:\a\b` or `\\server\share\a`, taken apart at its separators. */
function fileUrl(parts: readonly string[]): string {
  if (parts[0] === '' && parts[1] === '') return `file://${parts.slice(2).map(encoded).join('/')}`;
  const [first = '', ...rest] = parts;
  const drive = /^[A-Za-z]:$/.test(first) ? `/${first}` : encoded(first);
  return `file://${[drive, ...rest.map(encoded)].join('/')}`;
}

/** Also what a URL may hold but quotes and brackets around it may not. */
function encoded(segment: string): string {
  return encodeURIComponent(segment.replaceAll(/\p{Surrogate}/gu, '\ufffd')).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
