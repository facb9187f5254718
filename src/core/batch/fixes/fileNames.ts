import type { FileNames, FileService } from './strategy';

export interface NamesInFile {
  readonly isUsed: (id: string) => boolean;
  /** Called only when needed. */
  readonly model: () => string | undefined;
  readonly service?: FileService;
}

export function createFileNames({ isUsed, model, service }: NamesInFile): FileNames {
  const taken = new Set<string>();
  /** The next number to try for each id, so that a thousand equal ids do not take a million attempts. */
  const counts = new Map<string, number>();
  const take = (id: string): boolean => {
    if (taken.has(id) || isUsed(id)) return false;
    taken.add(id);
    return true;
  };
  return {
    ...(service && { service }),
    get model() {
      return model();
    },
    freshId(like) {
      if (take(like)) return like;
      for (let count = counts.get(like) ?? 2; ; count++) {
        const id = `${like}-${count}`;
        if (!take(id)) continue;
        counts.set(like, count + 1);
        return id;
      }
    },
  };
}
