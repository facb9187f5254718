import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { writeAtomic } from '../../../core/storage/atomicFile';

/** How long copies of closed pages are retained, because a closed window may be reopened. */
const retentionMs = 30 * 24 * 60 * 60 * 1000;

/** A copy of a sample, so that the same bytes are played, drawn and sent. */
export interface SavedSample {
  /** Finds the copy again. */
  readonly id: string;
  readonly path: string;
  /** File next to the copy that the page can play: raw samples as WAV. */
  readonly playPath: string;
}

/** Copies of samples in a folder that pages may load from, so that pages need no access to the folders of the originals. */
export interface SampleStore {
  readonly folder: string;
  keep(bytes: Uint8Array, name: string): Promise<SavedSample>;
  /** `undefined` if the copy no longer exists. */
  find(id: string): Promise<{ readonly saved: SavedSample; readonly bytes: Buffer } | undefined>;
  remove(id: string): Promise<void>;
  /** Deletes old copies. */
  sweep(now: number): Promise<void>;
}

export function createSampleStore(folder: string): SampleStore {
  const shelfOf = (id: string) => path.join(folder, id);
  const savedIn = (id: string, name: string): SavedSample => ({
    id,
    path: path.join(shelfOf(id), name),
    playPath: path.join(shelfOf(id), '.play.wav'),
  });
  return {
    folder,
    async keep(bytes, name) {
      const id = randomUUID();
      const saved = savedIn(id, safeName(name));
      await writeAtomic(saved.path, bytes);
      return saved;
    },
    async find(id) {
      if (!isId(id)) return undefined;
      const names = await readdir(shelfOf(id)).catch((): string[] => []);
      const name = names.find((one) => !one.startsWith('.'));
      if (name === undefined) return undefined;
      const saved = savedIn(id, name);
      return { saved, bytes: await readFile(saved.path) };
    },
    async remove(id) {
      if (isId(id)) await rm(shelfOf(id), { recursive: true, force: true });
    },
    async sweep(now) {
      for (const id of await readdir(folder).catch((): string[] => [])) {
        if (!isId(id)) continue;
        const found = await stat(shelfOf(id)).catch(() => undefined);
        if (found && now - found.mtimeMs > retentionMs) await rm(shelfOf(id), { recursive: true, force: true });
      }
    },
  };
}

function isId(id: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id);
}

/** Returns a name that is valid on any file system and in any multipart form, keeping its extension. */
function safeName(name: string): string {
  const { name: stem, ext } = path.parse(name);
  // oxlint-disable-next-line no-control-regex -- a form's part may hold none
  const plain = stem.replaceAll(/[\x00-\x1f<>:"/\\|?*]/g, '_').replace(/^\.+/, '');
  return `${Array.from(plain || 'sample')
    .slice(0, 60)
    .join('')}${ext}`;
}
