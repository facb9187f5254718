/** The words of the paths of the service's interface. Whatever else stands in a path is somebody's own. */
const pathWords: ReadonlySet<string> = new Set(
  [
    'v1 v2 v3 v4 messages chat completions models user info rerank embeddings images generations video submit status',
    'audio speech transcriptions voice list deletions upload uploads files batches content cancel',
  ].flatMap((line) => line.split(' ')),
);

/** A path without its query, and with `…` for ids and for what a service has before its version. */
export function routeOf(path: string): string {
  const [bare = ''] = path.split(/[?#]/);
  return bare
    .split('/')
    .map((segment) => (segment === '' || pathWords.has(segment) ? segment : '…'))
    .join('/');
}
