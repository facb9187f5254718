import { rename } from 'node:fs/promises';

/** Called after a file that this version cannot read was moved. */
export type OnSetAside = (path: string, aside: string) => void;

/** Renames a file so that its name says it is unreadable. Does nothing if there is no file. */
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
