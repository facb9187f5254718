/** The part of a Git diff about one file. */
export interface FileDiff {
  /** The paths before and after, relative to the repository; one if they are the same. */
  readonly paths: readonly string[];
  readonly text: string;
}

const heading = /^diff --git (?:"a\/((?:[^"\\]|\\.)*)"|a\/(.*?)) (?:"b\/((?:[^"\\]|\\.)*)"|b\/(.*))$/;

/**
 * Splits a Git diff by file. A file whose heading is unreadable has no paths. Source of the format:
 * https://git-scm.com/docs/diff-format#generate_patch_text_with_p
 */
export function splitDiff(diff: string): readonly FileDiff[] {
  return diff
    .split(/^(?=diff --git )/m)
    .filter((text) => text.startsWith('diff --git '))
    .map((text) => {
      const line = text.slice(0, text.indexOf('\n') < 0 ? undefined : text.indexOf('\n'));
      const [, quotedBefore, before, quotedAfter, after] = heading.exec(line) ?? [];
      const paths = [
        quotedBefore === undefined ? before : unquoted(quotedBefore),
        quotedAfter === undefined ? after : unquoted(quotedAfter),
      ];
      return { paths: [...new Set(paths.filter((path) => path !== undefined && path !== ''))] as string[], text };
    });
}

/** Decodes a path that Git quotes like a string in C, with bytes of UTF-8 in octal. */
function unquoted(text: string): string {
  const named: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };
  const parts = [...text.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)].map(([, octal, escaped, plain = '']) =>
    octal === undefined
      ? Buffer.from(escaped === undefined ? plain : (named[escaped] ?? escaped))
      : Buffer.of(Number.parseInt(octal, 8)),
  );
  return Buffer.concat(parts).toString('utf8');
}
