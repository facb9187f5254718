import { rename } from 'node:fs/promises';

/** Told where a file was moved that this version does not understand. */
export type OnSetAside = (path: string, aside: string) => void;

/** Moves a file out of the way, under a name that says so. Nothing where there is none. */
export async function setAside(path: string, onSetAside: OnSetAside): Promise<void> {
  const aside = `${path}.unreadable-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  try {
    await rename(path, aside);
  } catch (error) {
    // Another window was faster.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  onSetAside(path, aside);
}
