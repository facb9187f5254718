import { droppedAddresses } from '../../components/droppedAddresses';
import { droppedFiles, toBase64 } from '../../components/droppedFiles';

/** A larger file is not a voice sample; the host has the same limit for files it reads. */
const mostBytes = 50_000_000;

/** Returns the URL of the first dropped file, else its content; `undefined` if there is none. Call it while handling the drop. */
export async function readDropped(
  data: DataTransfer,
): Promise<{ readonly uri: string } | { readonly name: string; readonly base64: string } | undefined> {
  const [uri] = droppedAddresses(data);
  if (uri !== undefined) return { uri };
  const [{ file } = {}] = droppedFiles(data, 1);
  if (!file) return undefined;
  const name = file.name.slice(-200) || '?';
  // A file that is too large is read only as far as the host needs to see that. A folder cannot be read.
  return { name, base64: await toBase64(file.slice(0, mostBytes + 1)).catch(() => '') };
}
