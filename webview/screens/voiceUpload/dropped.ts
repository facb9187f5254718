import { droppedAddresses } from '../../components/droppedAddresses';
import { droppedFiles, toBase64 } from '../../components/droppedFiles';

/** A larger one is none of a voice sample's; the host says the same of a file it reads. */
const mostBytes = 50_000_000;

/** The first file that is dropped: its address, else what it holds. `undefined` where there is none. To be called while the drop is handled. */
export async function readDropped(
  data: DataTransfer,
): Promise<{ readonly uri: string } | { readonly name: string; readonly base64: string } | undefined> {
  const [uri] = droppedAddresses(data);
  if (uri !== undefined) return { uri };
  const [{ file } = {}] = droppedFiles(data, 1);
  if (!file) return undefined;
  const name = file.name.slice(-200) || '?';
  // Of what is too large as much as says so; of a folder nothing can be read.
  return { name, base64: await toBase64(file.slice(0, mostBytes + 1)).catch(() => '') };
}
