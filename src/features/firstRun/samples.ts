import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { l10n } from 'vscode';
import { copyAtomically, isThere } from '../../core/files/copyAtomically';
import { makeFolder } from '../../core/files/privateFiles';
import { UserError } from '../../platform/errors/userError';
import { reasonText } from '../../platform/errors/fileErrorMessages';

/** The person's copies of the samples. Missing ones are copied on request; existing ones are left unchanged. */
export interface Samples {
  /** Returns the absolute path of the folder with all samples. Throws `UserError` if it is not writable. */
  folder(): Promise<string>;
  /** Returns the absolute path. */
  file(name: string): Promise<string>;
}

/** `from` holds the originals, `to` the person's copies; both are absolute. */
export function createSamples({ from, to }: { readonly from: string; readonly to: string }): Samples {
  const place = async (name: string): Promise<string> => {
    const file = join(to, name);
    if (!(await isThere(file)))
      await copyAtomically(join(from, name), file, { replace: false, isPrivate: true }).catch(unlessThere);
    return file;
  };
  const placing = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      await makeFolder(to);
      return await work();
    } catch (error) {
      throw notWritten(to, error);
    }
  };
  return {
    folder: () =>
      placing(async () => {
        for (const name of await readdir(from)) await place(name);
        return to;
      }),
    file: (name) => placing(() => place(name)),
  };
}

/** Another window may have been faster. */
function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

function notWritten(folder: string, error: unknown): UserError {
  return new UserError(
    l10n.t('The samples could not be written'),
    l10n.t('They go to {0}. {1}', folder, reasonText(error)),
  );
}
