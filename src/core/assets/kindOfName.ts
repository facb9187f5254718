import type { AssetKind } from './recipe';

const kinds: readonly (readonly [kind: AssetKind, endings: RegExp])[] = [
  ['image', /\.(a?png|jpe?g|webp|gif|avif|bmp|svg|tiff?|hei[cf]|jxl|jp2|ico)$/i],
  ['video', /\.(mp4|m4v|webm|mov|mkv|avi|mpe?g|3gp|ogv)$/i],
  ['speech', /\.(mp3|wav|opus|og[ga]|pcm|flac|m4a|aac)$/i],
];

/** Returns a file's kind from its name alone; `undefined` for kinds that are not generated here, such as a program or a page. */
export function kindOf(name: string): AssetKind | undefined {
  return kinds.find(([, endings]) => endings.test(name))?.[0];
}
