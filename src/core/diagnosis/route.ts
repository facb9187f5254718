/** The words in the paths of the service's API. Any other path segment may be private. */
const pathWords: ReadonlySet<string> = new Set(
  [
    'v1 v2 v3 v4 messages chat completions models user info rerank embeddings images generations video submit status',
    'audio speech transcriptions voice list deletions upload uploads files batches content cancel',
  ].flatMap((line) => line.split(' ')),
);

/** Returns a path without its query, with `…` for ids and for anything before the version. */
export function routeOf(path: string): string {
  const [bare = ''] = path.split(/[?#]/);
  return bare
    .split('/')
    .map((segment) => (segment === '' || pathWords.has(segment) ? segment : '…'))
    .join('/');
}
